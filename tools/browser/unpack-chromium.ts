// Run by chromium.ts in a separate process, because the package unpacks into the temporary folder
// of its process.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));
await chromium.executablePath();
// This archive contains libraries that minimal systems lack. chromium.ts uses them only if
// necessary.
await inflate(join(packed, 'al2023.tar.br'));
