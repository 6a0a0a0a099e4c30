/** A slide of the landing page's carousel. */
export interface Slide {
  title: string;
  text: string;
  /** Path of the feature page. */
  href: string;
  linkText: string;
  media: SlideMedia;
}

export interface SlideMedia {
  /** Path of a local video file, or any address of a YouTube video. */
  videoUrl: string;
  /** An image of 1152 by 640 px, or a multiple of that. */
  placeholderImg: string;
  /** Alternative text of the image. */
  pictureText: string;
}

export const SLIDES: readonly Slide[] = [
  {
    title: 'Eliminate Duplicates & Overlap',
    text: 'Every pair comes with its evidence: the passages both issues share, a score for title, body and error text, and a verdict with its reason. Close one, merge both or separate them, and see each write before it is made.',
    href: '/features/duplicates',
    linkText: 'How duplicates are found',
    media: {
      videoUrl: '/videos/duplicates.webm',
      placeholderImg: '/images/ui_01.png',
      pictureText: 'A list of similar pairs, and one pair side by side with its shared passages marked.',
    },
  },
  {
    title: 'Achieve Compliance for Every Issue',
    text: 'Score each issue against your Definition of Ready, from goal clarity to acceptance criteria, see why, and accept a better title and description.',
    href: '/features/compliance',
    linkText: 'How issues are scored',
    media: {
      videoUrl: '/videos/compliance.webm',
      placeholderImg: '/images/ui_02.png',
      pictureText:
        'A list of issues with their scores, and one issue with its criteria and the words they are based on.',
    },
  },
  {
    title: 'Discover Unmapped Dependencies',
    text: 'Find issues that must be finished before others can start, even if no one wrote it down. Each comes with a reason and a confidence; write the links you agree with to your tracker.',
    href: '/features/dependencies',
    linkText: 'How dependencies are found',
    media: {
      videoUrl: '/videos/dependencies.webm',
      placeholderImg: '/images/ui_03.png',
      pictureText: 'The dependencies of a project, drawn from left to right, with the longest chain named.',
    },
  },
];
