/** A slide of the landing page's carousel. */
export interface Slide {
  title: string;
  text: string;
  /** The page that says more. */
  href: string;
  /** What the link to that page says. */
  linkText: string;
  /** What there is to see of it. */
  shows: SlideMedia;
}

export interface SlideMedia {
  /** A recording of ours, or a video of YouTube in any form of its address. */
  videoUrl: string;
  /** A picture of 1152 by 640 px, or a multiple of that. */
  placeholderImg: string;
  /** What the picture shows, for those who do not see it. */
  pictureText: string;
}

export const SLIDES: readonly Slide[] = [
  {
    title: 'Eliminate Duplicates & Overlap',
    text: 'Every pair comes with its evidence: the passages both issues share, a score for title, body and error text, and a verdict with its reason. Close one, merge both or set them apart, and see each write before it is made.',
    href: '/features/duplicates',
    linkText: 'How duplicates are found',
    shows: {
      videoUrl: '/videos/duplicates.webm',
      placeholderImg: '/images/ui_01.png',
      pictureText: 'A list of similar pairs, and one pair side by side with its shared passages marked.',
    },
  },
  {
    title: 'Achieve Compliance for Every Issue',
    text: 'Score each issue against your Definition of Ready, from goal clarity to acceptance criteria, read why, and take over a better title and description.',
    href: '/features/compliance',
    linkText: 'How issues are scored',
    shows: {
      videoUrl: '/videos/compliance.webm',
      placeholderImg: '/images/ui_02.png',
      pictureText:
        'A list of issues with their scores, and one issue with its criteria and the words they rest on.',
    },
  },
  {
    title: 'Discover Unmapped Dependencies',
    text: 'Find the issues that have to be finished before another one can start and do not say so, each with a reason and a confidence, and write the links you agree with to your tracker.',
    href: '/features/dependencies',
    linkText: 'How dependencies are found',
    shows: {
      videoUrl: '/videos/dependencies.webm',
      placeholderImg: '/images/ui_03.png',
      pictureText: 'The dependencies of a project, drawn from left to right, with the longest chain named.',
    },
  },
];
