/** A video: a file that the browser plays, or a page of a video site, shown in a frame. */
export interface VideoSource {
  kind: 'file' | 'frame';
  url: string;
}

const EMBED = 'https://www.youtube-nocookie.com/embed/';
const VIDEO_SITES = ['youtube.com', 'youtube-nocookie.com'];
const VIDEO_ID = /^[\w-]{6,20}$/;

/**
 * Returns the way to play the video at `url`. YouTube videos use the embed address without cookies.
 */
export function videoSource(url: string): VideoSource {
  const embedded = embedAddress(url);
  if (embedded !== url) return { kind: 'frame', url: embedded };
  return { kind: /\.(?:webm|mp4)(?:[?#]|$)/.test(url) ? 'file' : 'frame', url };
}

/**
 * Returns the embed address of a YouTube video, given as a short link (`youtu.be/ID`), a watch page
 * (`youtube.com/watch?v=ID`) or an embed address. Returns any other URL unchanged.
 */
export function embedAddress(url: string): string {
  const id = videoId(url);
  return id === null ? url : `${EMBED}${id}?autoplay=1`;
}

function videoId(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, hostname, pathname, searchParams } = new URL(url);
  if (!/^https?:$/.test(protocol)) return null;
  const host = hostname.replace(/^(?:www|m)\./, '');
  const [, first = '', second = ''] = pathname.split('/');
  const candidates = [
    host === 'youtu.be' ? first : '',
    VIDEO_SITES.includes(host) && first === 'watch' ? (searchParams.get('v') ?? '') : '',
    VIDEO_SITES.includes(host) && first === 'embed' ? second : '',
  ];
  return candidates.find((candidate) => VIDEO_ID.test(candidate)) ?? null;
}
