// npm start: prepares everything that is missing, and runs Winnow until the user stops it.
process.argv.splice(2, 0, 'start');
await import('./winnow.mjs');
