import { basename, extname, join } from 'node:path';
import { Document, isMap, isPair, isScalar, visit } from 'yaml';
import type { Guess, Proposal } from '../../src/inference/proposal.ts';
import { applyRecipe } from '../../src/inference/recipes/apply-recipe.ts';
import type { Recipe } from '../../src/inference/recipes/recipe.ts';
import { bareProposal, sampleOf, syncOf } from './recipes.ts';

const place = /<!-- sync of (\S+) -->\n.*?<!-- end of sync -->/gs;

/** Returns the page of a recipe with new sync files: for each sample that the page names, the sync file that the recipe proposes. */
export async function withSyncFiles(page: string, recipe: Recipe, samples: string): Promise<string> {
  const files = [...page.matchAll(place)].map(([, file = '']) => file);
  const written = new Map<string, string>();
  for (const file of files) written.set(file, await syncFileOf(join(samples, file), recipe));
  return page.replace(place, (_, file: string) => {
    return `<!-- sync of ${file} -->\n\`\`\`yaml\n${written.get(file)}\`\`\`\n<!-- end of sync -->`;
  });
}

async function syncFileOf(file: string, recipe: Recipe): Promise<string> {
  const local = await sampleOf(file);
  const address = recipe.feeds.find(({ connector }) => connector === local.connector)?.address ?? file;
  const proposal = applyRecipe(recipe, { ...local, url: address }, bareProposal(local));
  const document = new Document(syncOf(proposal, address));
  document.commentBefore = ` config/syncs/${basename(file, extname(file))}.yaml`;
  visit(document, {
    // Each rule and each option is on one line.
    Map: (_, node, path) => {
      if (path.filter(isPair).length > 1) node.flow = true;
    },
    Seq: (_, node) => {
      node.flow = true;
    },
  });
  for (const [path, note] of notesOf(proposal)) {
    const node: unknown = document.getIn(path, true);
    if (isScalar(node) || isMap(node)) node.comment = ` ${note}`;
  }
  return document.toString({ lineWidth: 0 }).replaceAll(/\[ ([^\]]*) \]/g, '[$1]');
}

/** Returns the notes in the evidence of the keys, without the name of the recipe. */
function notesOf({ key, source, map, attachments, resource }: Proposal): Array<[string[], string]> {
  const all: Array<[string[], Guess<unknown>]> = [
    [['resource'], resource],
    [['key'], key],
    ...entriesOf('source', source),
    ...entriesOf('map', map),
    ...entriesOf('attachments', attachments),
  ];
  return all.flatMap(([path, { evidence }]) => {
    const [, note] = /^recipe [^:]*: (.*)$/s.exec(evidence) ?? [];
    return note === undefined ? [] : [[path, note] as [string[], string]];
  });
}

function entriesOf(name: string, guesses: Readonly<Record<string, Guess<unknown>>>): Array<[string[], Guess<unknown>]> {
  return Object.entries(guesses).map(([key, guess]) => [[name, key], guess]);
}
