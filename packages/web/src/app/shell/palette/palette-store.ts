import { createSpotlight } from '@mantine/spotlight';

/** State of the command palette, and functions to open and close it. */
export const [paletteStore, palette] = createSpotlight();
