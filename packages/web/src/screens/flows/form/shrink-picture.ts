import { LARGEST_ICON } from '@winnow/contract/flow';

/** The kinds of pictures that an icon may be. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/webp'];
/** Larger than any that is shown, also on screens with many pixels. */
const SIDE = 96;

/** Why a picture cannot be an icon, in a sentence. */
export class PictureError extends Error {}

/** The size of a picture that fits a square of this side; it is never made larger. */
export function fitted(width: number, height: number, side = SIDE): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The picture as a data address that fits an icon: as it is where it is small enough, else drawn smaller.
 *
 * @throws {PictureError} for what is no PNG or WebP picture.
 */
export async function pictureAddress(file: File): Promise<string> {
  if (!PICTURE_TYPES.includes(file.type)) throw new PictureError('Choose a PNG or WebP picture.');
  const bitmap = await createImageBitmap(file).catch((cause: unknown) => {
    throw new PictureError('This is no picture that can be read. Choose another one.', { cause });
  });
  const { width, height } = fitted(bitmap.width, bitmap.height);
  if (file.size <= LARGEST_ICON && width === bitmap.width && height === bitmap.height) {
    return readAsAddress(file);
  }
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width, height);
  return canvas.toDataURL('image/png');
}

function readAsAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new PictureError('The file could not be read.'));
    reader.readAsDataURL(file);
  });
}
