// Runs in the page that encodes a recording (page-recorder.ts). Converts frames of its canvas into
// a video.
const canvas = document.querySelector('canvas');
const film = new MediaRecorder(canvas.captureStream(25), {
  mimeType: 'video/webm;codecs=vp8',
  videoBitsPerSecond: 900_000,
});
const pieces = [];
film.addEventListener('dataavailable', ({ data }) => pieces.push(data));
film.start();

globalThis.recorder = {
  /** Draws the next frame from a JPEG in base64. */
  async draw(jpeg) {
    const bytes = Uint8Array.from(atob(jpeg), (character) => character.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
  },
  /** Ends the recording and returns it as WebM in base64. */
  async end() {
    const stopped = new Promise((resolve) => film.addEventListener('stop', resolve));
    film.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    let text = '';
    for (let start = 0; start < bytes.length; start += 0x8000) {
      text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
    }
    return btoa(text);
  },
};
