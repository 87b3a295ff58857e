import { readdirSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

/** VS Code calls this inside the extension host; a rejection makes the run fail. */
export async function run(): Promise<void> {
  const grep = process.env['PORTSIDE_GREP'];
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 30_000,
    reporter: path.resolve(__dirname, '../../../test/rig/reporter.cjs'),
    ...(grep ? { grep } : {}),
  });
  const sources = path.resolve(__dirname, '../../../test/host');
  for (const file of readdirSync(sources, { recursive: true, encoding: 'utf8' }).sort())
    if (file.endsWith('.test.ts') && file.includes(process.env['PORTSIDE_FILE'] ?? ''))
      mocha.addFile(path.join(__dirname, file.replace(/\.ts$/, '.js')));
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>(resolve => mocha.run(resolve));
  if (failures) throw new Error(`${failures} failed`);
}
