/**
 * Writes the texts of the page, and how its games tell their events, as JSON: a file for each language, for the
 * terminal. `node texts.mjs FOLDER`; the build does it.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const SRC = join(import.meta.dirname, 'src');
const folder = process.argv[2];
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);
const load = (name) => import(join(SRC, name));

/** What the texts of a folder are called: `lib` has those that all share. */
function areaOf(name) {
  const area = basename(dirname(dirname(name)));
  return area === 'lib' ? 'shared' : area;
}

const narration = { common: (await load('games/tellings.ts')).COMMON };
for (const name of files.filter((each) => /^games\/\w+\/narration\.ts$/.test(each)))
  narration[basename(dirname(name))] = (await load(name)).narration;

mkdirSync(folder, { recursive: true });
for (const language of ['en', 'de', 'pl', 'ru']) {
  const areas = { narration };
  for (const name of files.filter((each) => each.endsWith(`/texts/${language}.ts`)))
    areas[areaOf(name)] = { ...areas[areaOf(name)], ...(await load(name)).default };
  for (const name of files.filter((each) => /^games\/\w+\/about\.ts$/.test(each))) {
    const { name: called, summary } = (await load(name)).default[language];
    Object.assign((areas[basename(dirname(name))] ??= {}), {
      'about.name': called,
      'about.summary': summary,
    });
  }
  writeFileSync(join(folder, `${language}.json`), JSON.stringify(areas));
}
