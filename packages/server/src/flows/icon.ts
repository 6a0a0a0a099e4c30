import { MAX_ICON_BYTES } from '@winnow/contract/flow';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns the problem of an icon; null if there is none. Images are checked by their bytes. */
export function problemOfIcon(icon: string): string | null {
  const [, type, base64] = /^data:image\/(png|webp);base64,(.*)$/s.exec(icon) ?? [];
  if (type === undefined || base64 === undefined) return null;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_ICON_BYTES) return 'An icon may have at most 64 kB.';
  const isPicture = type === 'png' ? bytes.subarray(0, PNG.length).equals(PNG) : isWebP(bytes);
  return isPicture ? null : 'This file is not a PNG or WebP image.';
}

/** True for a RIFF file whose first chunk type belongs to WebP. */
function isWebP(bytes: Buffer): boolean {
  const at = (from: number, to: number) => bytes.subarray(from, to).toString('latin1');
  return at(0, 4) === 'RIFF' && at(8, 12) === 'WEBP' && /^VP8[ LX]$/.test(at(12, 16));
}
