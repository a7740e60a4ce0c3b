// Draws docs/pictures from the golden output and the tutorial. Run it after they have changed: npm run dev -- docs:pictures
import { writeFileSync } from 'node:fs';
import { picturesOfDocs } from './pictures.ts';

for (const [name, svg] of picturesOfDocs()) writeFileSync(`docs/pictures/${name}`, svg);
