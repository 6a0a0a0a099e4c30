import { MAX_ICON_BYTES } from '@winnow/contract/flow';

/** Accepted file types of pictures. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/webp'];
/**
 * Width and height of an icon in pixels. Even on high-density screens, icons are displayed smaller
 * than this.
 */
const ICON_SIDE_PX = 96;

/** Error whose message is displayed if a picture cannot be used. */
export class PictureError extends Error {}

/** Scales a size down to fit in a square. A smaller size is unchanged. */
export function fitSize(
  width: number,
  height: number,
  side = ICON_SIDE_PX,
): { width: number; height: number } {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Converts a picture file to a data URL. Scales the picture down if it is too large for an icon.
 * Throws {@link PictureError} if the file cannot be used.
 */
export async function pictureAddress(file: File): Promise<string> {
  if (!PICTURE_TYPES.includes(file.type)) throw new PictureError('Choose a PNG or WebP picture.');
  const bitmap = await createImageBitmap(file).catch((cause: unknown) => {
    throw new PictureError('This picture cannot be read. Choose another one.', { cause });
  });
  const { width, height } = fitSize(bitmap.width, bitmap.height);
  if (file.size <= MAX_ICON_BYTES && width === bitmap.width && height === bitmap.height) {
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
