import { UPCOMING } from './upcoming.ts';

/** A slide of the landing page's carousel. */
export interface Slide {
  title: string;
  text: string;
  /** A recording of ours, or a video of YouTube in any form of its address. */
  videoUrl: string;
  /** A picture of 1152 by 640 px, or a multiple of that. */
  placeholderImg: string;
  /** What the picture shows, for those who do not see it. */
  pictureText: string;
  /** The page that says more. */
  href: string;
  /** Stands at what is not there yet. */
  note?: string;
}

export const SLIDES: readonly Slide[] = [
  {
    title: 'Eliminate Duplicates & Overlap',
    text: 'Every pair comes with its evidence: the passages both issues share, and a score for title, body and error text. Close one as a duplicate of the other, and see each write before it is made.',
    videoUrl: '/videos/duplicates.webm',
    placeholderImg: '/images/ui_01.png',
    pictureText: 'A list of similar pairs, and one pair side by side with its shared passages marked.',
    href: '/features/duplicates',
  },
  {
    title: 'Achieve Compliance for Every Issue',
    text: 'Score each issue against your Definition of Ready, from goal clarity to acceptance criteria, read why, and take over a better title and description.',
    videoUrl: '/videos/compliance.webm',
    placeholderImg: '/images/ui_02.png',
    pictureText: 'A list of issues with a compliance score each, and the suggestion for one of them.',
    href: '/features/compliance',
    note: UPCOMING.compliance,
  },
  {
    title: 'Discover Unmapped Dependencies',
    text: 'Find the issues that have to be finished before another one can start and do not say so, each with a reason and a confidence, and write the links you agree with to your tracker.',
    videoUrl: '/videos/dependencies.webm',
    placeholderImg: '/images/ui_03.png',
    pictureText: 'A graph of issues that block each other, and the reason for one of the links.',
    href: '/features/dependencies',
    note: UPCOMING.dependencies,
  },
];
