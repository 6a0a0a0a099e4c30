import { createSpotlight } from '@mantine/spotlight';

/** The palette's state, and the calls that open and close it. */
export const [paletteStore, palette] = createSpotlight();
