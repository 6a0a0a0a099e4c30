// Run by chromium.ts as a process of its own: the package unpacks into the temp folder of the process it runs in.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));
await chromium.executablePath();
// Libraries that minimal systems lack; chromium.ts uses them where they are needed.
await inflate(join(packed, 'al2023.tar.br'));
