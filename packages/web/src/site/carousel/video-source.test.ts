import { expect, test } from 'vitest';
import { embedAddress, videoSource } from './video-source.ts';

const EMBEDDED = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1';

test.each([
  ['a short link', 'https://youtu.be/dQw4w9WgXcQ'],
  ['a short link with a time', 'https://youtu.be/dQw4w9WgXcQ?t=42'],
  ['a watch page', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
  ['a watch page whose video is not named first', 'https://youtube.com/watch?list=PL12&v=dQw4w9WgXcQ&t=3s'],
  ['the watch page for phones', 'https://m.youtube.com/watch?v=dQw4w9WgXcQ'],
  ['an embed address', 'https://www.youtube.com/embed/dQw4w9WgXcQ'],
  [
    'an embed address of the frame without cookies',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0',
  ],
])('%s plays in the frame without cookies', (_, url) => {
  expect(embedAddress(url)).toBe(EMBEDDED);
  expect(videoSource(url)).toEqual({ kind: 'frame', url: EMBEDDED });
});

test.each([
  ['a file of ours', '/videos/duplicates.webm'],
  ['another site', 'https://vimeo.com/76979871'],
  ['a host that only ends alike', 'https://notyoutube.com/watch?v=dQw4w9WgXcQ'],
  ['a watch page without a video', 'https://www.youtube.com/watch?v='],
  ['a channel', 'https://www.youtube.com/@winnow'],
  ['an id that would lead elsewhere', 'https://youtu.be/..%2F..%2Fevil'],
  ['no web address', 'ftp://youtu.be/dQw4w9WgXcQ'],
  ['no address at all', 'not an address'],
])('%s is used unchanged', (_, url) => {
  expect(embedAddress(url)).toBe(url);
});

test('a recording that the browser plays itself needs no frame', () => {
  expect(videoSource('/videos/duplicates.webm')).toEqual({ kind: 'file', url: '/videos/duplicates.webm' });
  expect(videoSource('https://cdn.example/a.mp4?x=1').kind).toBe('file');
  expect(videoSource('https://player.example/76979871').kind).toBe('frame');
});
