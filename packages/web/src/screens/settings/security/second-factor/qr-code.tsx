import { encode } from 'uqr';
import classes from './second-factor.module.css';

/** Light modules around the code, which scanners need (ISO 18004: four). */
const BORDER = 4;

export type QrCodeProps = {
  text: string;
  /** Accessible name of the picture. */
  label: string;
};

/** A QR code, drawn in the browser. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" shapeRendering="crispEdges">
      <title>{label}</title>
      <path d={path} />
    </svg>
  );
}
