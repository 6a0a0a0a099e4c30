import { expect, test } from 'vitest';
import { embedAddress, videoSource } from './video-source.ts';

const EMBEDDED = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1';

test.each([
  ['a short link', 'https://youtu.be/dQw4w9WgXcQ'],
  ['a short link with a time', 'https://youtu.be/dQw4w9WgXcQ?t=42'],
  ['a watch page', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'],
  [
    'a watch page with the video id after other parameters',
    'https://youtube.com/watch?list=PL12&v=dQw4w9WgXcQ&t=3s',
  ],
  ['a mobile watch page', 'https://m.youtube.com/watch?v=dQw4w9WgXcQ'],
  ['an embed address', 'https://www.youtube.com/embed/dQw4w9WgXcQ'],
  ['a cookie-free embed address', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0'],
])('%s plays in the cookie-free frame', (_, url) => {
  expect(embedAddress(url)).toBe(EMBEDDED);
  expect(videoSource(url)).toEqual({ kind: 'frame', url: EMBEDDED });
});

test.each([
  ['a local file', '/videos/duplicates.webm'],
  ['another site', 'https://vimeo.com/76979871'],
  ['a host with the same ending', 'https://notyoutube.com/watch?v=dQw4w9WgXcQ'],
  ['a watch page without a video', 'https://www.youtube.com/watch?v='],
  ['a channel', 'https://www.youtube.com/@winnow'],
  ['an id with a path traversal', 'https://youtu.be/..%2F..%2Fevil'],
  ['an FTP address', 'ftp://youtu.be/dQw4w9WgXcQ'],
  ['a text that is not a URL', 'not an address'],
])('%s is used unchanged', (_, url) => {
  expect(embedAddress(url)).toBe(url);
});

test('WebM and MP4 files play without a frame', () => {
  expect(videoSource('/videos/duplicates.webm')).toEqual({ kind: 'file', url: '/videos/duplicates.webm' });
  expect(videoSource('https://cdn.example/a.mp4?x=1').kind).toBe('file');
  expect(videoSource('https://player.example/76979871').kind).toBe('frame');
});
