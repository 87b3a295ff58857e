import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LaunchPlan } from '../agents/launchPlan';
import { packageName } from '../agents/catalogue';
import type { NpmProgram } from '../agents/program';
import { ExpectedError, messageOf } from '../base/errors';
import { asObject, asString, isObject, type JsonObject } from '../base/json';
import { Child } from '../node/child';
import { childEnvironment } from '../node/childEnvironment';
import { pathOf } from '../node/environment';
import { chooseNode, type NodeRuntime } from '../node/nodeRuntimes';
import { withProcessLock } from '../node/processLock';
import { signalProcess } from '../node/processTree';
import { nextAttempt, type InstallPlan } from './installPolicy';

export interface PackageContext {
  /** Where packages are installed, each in a folder of its own: outside of every project. */
  root: string;
  /** The npm of the newest Node. */
  npm: string;
  /** The Nodes of the machine, newest first. */
  nodes: readonly NodeRuntime[];
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  onProgress(text: string): void;
  log(line: string): void;
}

interface Installed {
  /** The program's file. */
  program: string;
  modules: string;
  /** What the package asks for in `engines.node`. */
  engines?: string;
}

/**
 * Starts an agent that is a package of npm: installs it if need be, and lets `start` start the program behind it. When
 * that fails because the files are damaged, they are installed anew, once.
 * Throws `ExpectedError` `installFailed`, what `start` throws, or the signal's reason.
 */
export async function startPackage<T>(
  plan: LaunchPlan & { npm: NpmProgram },
  context: PackageContext,
  start: (plan: LaunchPlan) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const first: InstallPlan = { repairs: [] };
  const run = async (install: InstallPlan): Promise<T> =>
    start(programPlan(plan, await ensureInstalled(plan.npm, install, context, signal), context));
  try {
    return await run(first);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ExpectedError) || error.code === 'installFailed') throw error;
    const text = `${error.message}\n${error.options.details ?? ''}`;
    const next = nextAttempt(first, { stage: 'start', text });
    if (next.do === 'giveUp') throw error;
    context.log(`${plan.npm.package} does not start and is installed anew: ${error.message}`);
    return run(next.plan);
  }
}

/** The plan for the installed program: by the Node that fits it, or by itself when it is no script. */
function programPlan(
  plan: LaunchPlan,
  installed: Installed & { script: boolean },
  context: PackageContext,
): LaunchPlan {
  const rest = { ...plan };
  delete rest.npm;
  const { program, modules, engines, script } = installed;
  const choice = chooseNode(context.nodes, engines);
  if (choice && !choice.fits)
    context.log(`${plan.name} asks for Node ${engines}; the newest here is ${choice.node.version.numbers.join('.')}.`);
  const before = [path.join(modules, '.bin'), ...(choice ? [path.dirname(choice.node.path)] : [])];
  const delimiter = context.platform === 'win32' ? ';' : ':';
  const PATH = [...before, plan.env['PATH'] ?? pathOf(context.env, context.platform)].join(delimiter);
  const env = { ...plan.env, PATH };
  if (!script) return { ...rest, env, command: program };
  if (choice) return { ...rest, env, command: choice.node.path, args: [program, ...plan.args] };
  return { ...rest, env, args: [program, ...plan.args], ownRuntime: true };
}

/** Installs a package unless it is there whole. Of several windows one installs, and the others wait for it. */
async function ensureInstalled(
  program: NpmProgram,
  plan: InstallPlan,
  context: PackageContext,
  signal: AbortSignal,
): Promise<Installed & { script: boolean }> {
  const folder = path.join(context.root, `${program.package.replace('/', '+')}@${program.version}`);
  const found = plan.repairs.length === 0 ? await readInstalled(folder, program, context.platform) : undefined;
  if (found) return found;
  const onWait = (): void => context.onProgress(`Waiting for another window that installs ${program.package}…`);
  const began = Date.now();
  return withProcessLock(
    `${folder}.lock`,
    async () => {
      const ready = await readInstalled(folder, program, context.platform);
      // A repair is for what was there before; what another window has installed meanwhile is whole.
      if (ready && (plan.repairs.length === 0 || ready.at > began)) return ready;
      await install(folder, program, plan, context, signal);
      const installed = await readInstalled(folder, program, context.platform);
      if (!installed) throw installError(program, 'the package has no program that can be started.', '');
      return installed;
    },
    { signal, onWait },
  );
}

/** Attempts in the order of the policy, until one succeeds or it gives up. */
async function install(
  folder: string,
  program: NpmProgram,
  first: InstallPlan,
  context: PackageContext,
  signal: AbortSignal,
): Promise<void> {
  const size = program.megabytes === undefined ? '' : `, about ${program.megabytes} MB`;
  const title = `Installing ${program.package} ${program.version}${size}`;
  for (let plan = first; ;) {
    context.onProgress(`${title}…`);
    const failure = await attempt(
      folder,
      program,
      plan,
      { ...context, onProgress: text => context.onProgress(`${title} (${text})…`) },
      signal,
    );
    if (!failure) return;
    const next = nextAttempt(plan, { stage: 'install', ...failure });
    if (next.do === 'giveUp') throw installError(program, next.reason, failure.text);
    context.log(`${title} failed; the next attempt: ${next.plan.repairs.at(-1)}.\n${lastLines(failure.text)}`);
    plan = next.plan;
  }
}

interface AttemptFailure {
  text: string;
  code?: string;
}

/** One run of npm into an empty folder. Gives what went wrong, or undefined. */
async function attempt(
  folder: string,
  program: NpmProgram,
  plan: InstallPlan,
  context: PackageContext,
  signal: AbortSignal,
): Promise<AttemptFailure | undefined> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  await mkdir(folder, { recursive: true });
  const cache = plan.repairs.includes('freshCache') ? path.join(folder, '.cache') : undefined;
  const result = await runNpm(npmArguments(folder, program, plan, cache), folder, context, signal);
  if (cache) await rm(cache, { recursive: true, force: true });
  if (result) return result;
  const { version } = (await readPackage(path.join(folder, 'node_modules', program.package))) ?? {};
  if (version !== program.version)
    return { text: `npm installed version ${asString(version) ?? '(none)'} in place of ${program.version}` };
  await writeFile(markOf(folder), JSON.stringify({ at: Date.now(), packages: specifiers(program) }));
  return undefined;
}

/** The arguments of npm. What the user's configuration says of registries, proxies and scripts stays in force. */
export function npmArguments(folder: string, program: NpmProgram, plan: InstallPlan, cache?: string): string[] {
  return [
    'install',
    ...specifiers(program),
    '--prefix',
    folder,
    ...(plan.repairs.length === 0 ? ['--prefer-offline'] : []),
    ...(cache ? ['--cache', cache] : []),
    '--save-exact',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--no-package-lock',
    '--engine-strict=false',
    '--global=false',
    '--workspaces=false',
    '--loglevel=http',
  ];
}

function specifiers(program: NpmProgram): string[] {
  return [`${program.package}@${program.version}`, ...(program.with ?? [])];
}

async function runNpm(
  args: readonly string[],
  cwd: string,
  context: PackageContext,
  signal: AbortSignal,
): Promise<AttemptFailure | undefined> {
  const { npm, platform } = context;
  const delimiter = platform === 'win32' ? ';' : ':';
  const PATH = [...(path.isAbsolute(npm) ? [path.dirname(npm)] : []), pathOf(context.env, platform)].join(delimiter);
  const env = childEnvironment(context.env, { PATH }, platform);
  let text = '';
  let fetched = 0;
  const take = (chunk: string): void => {
    text = (text + chunk).slice(-50_000);
    const more = chunk.match(/^npm http fetch /gm)?.length ?? 0;
    fetched += more;
    if (more > 0) context.onProgress(`${fetched} fetched`);
  };
  signal.throwIfAborted();
  let child: Child;
  try {
    child = await Child.start({ command: npm, args, cwd, env, platform, onStderr: take });
  } catch (error) {
    const code = asString(isObject(error) ? error['code'] : undefined);
    return { text: messageOf(error), ...(code === undefined ? {} : { code }) };
  }
  child.stdout.on('data', chunk => take(String(chunk)));
  const stop = (): void => {
    // npm needs no time to leave, and the lock is held until it has.
    if (platform !== 'win32') signalProcess(-child.pid, 'SIGTERM');
    void child.close(true);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const { code, signal: endedBy } = await child.exited;
  signal.removeEventListener('abort', stop);
  await child.close(true);
  signal.throwIfAborted();
  return code === 0 ? undefined : { text: text || `npm ended with ${endedBy ?? `code ${code}`}` };
}

const markOf = (folder: string): string => path.join(folder, 'installed.json');

/** What is installed in a folder; undefined when it is not there, or only in part. */
async function readInstalled(
  folder: string,
  program: NpmProgram,
  platform: NodeJS.Platform,
): Promise<(Installed & { script: boolean; at: number }) | undefined> {
  const mark = await readJson(markOf(folder));
  if (JSON.stringify(mark?.['packages']) !== JSON.stringify(specifiers(program))) return undefined;
  const modules = path.join(folder, 'node_modules');
  const manifest = await readPackage(path.join(modules, program.package));
  const bin = manifest && binOf(manifest, program);
  if (!manifest || bin === undefined) return undefined;
  const file = path.resolve(modules, program.package, bin);
  const script = await isScript(file);
  if (script === undefined) return undefined;
  const engines = asString(asObject(manifest['engines'])?.['node']);
  return {
    program: !script && platform === 'win32' && !path.extname(file) ? `${file}.exe` : file,
    modules,
    script,
    at: Number(mark?.['at']),
    ...(engines === undefined ? {} : { engines }),
  };
}

/** The file of the wanted program: the one named, or named like the package, or the only one. */
export function binOf(manifest: JsonObject, program: NpmProgram): string | undefined {
  const own = packageName(program.package).replace(/^@[^/]*\//, '');
  const single = asString(manifest['bin']);
  if (single !== undefined) return program.bin === undefined || program.bin === own ? single : undefined;
  const bins = Object.entries(asObject(manifest['bin']) ?? {});
  const named =
    bins.find(([name]) => name === (program.bin ?? own)) ?? (program.bin === undefined ? bins[0] : undefined);
  return asString(named?.[1]);
}

/** Whether Node runs the file; undefined when there is none. */
async function isScript(file: string): Promise<boolean | undefined> {
  try {
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(100), 0, 100, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    return head.startsWith('#!') ? /^#!.*\bnode\b/.test(head) : /\.[cm]?js$/.test(file);
  } catch {
    return undefined;
  }
}

function readPackage(folder: string): Promise<JsonObject | undefined> {
  return readJson(path.join(folder, 'package.json'));
}

async function readJson(file: string): Promise<JsonObject | undefined> {
  try {
    return asObject(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function installError(program: NpmProgram, reason: string, text: string): ExpectedError {
  return new ExpectedError('installFailed', `${program.package} ${program.version} could not be installed: ${reason}`, {
    ...(text ? { details: lastLines(text) } : {}),
    actions: ['retry', 'showLog', 'openSettings'],
  });
}

/** The last lines that say something: not those of each fetch. */
function lastLines(text: string): string {
  const lines = text.split('\n').filter(line => line.trim() !== '' && !/^npm http /.test(line));
  return lines.slice(-20).join('\n');
}
