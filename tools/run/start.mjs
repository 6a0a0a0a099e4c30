// npm start: prepares what is missing and runs Winnow until it is stopped.
process.argv.splice(2, 0, 'start');
await import('./winnow.mjs');
