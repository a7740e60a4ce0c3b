import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { connectors } from '../../../connectors/index.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { temporaryDir } from '../../support/engines.ts';
import { cliCommands } from '../docker/cli-commands.ts';
import { knownVariables } from './known-variables.ts';

interface Container {
  image: string;
  args: string[];
  envFrom: Array<{ configMapRef: { name: string } }>;
  env?: Array<{ name: string; value: string }>;
  ports?: Array<{ name: string; containerPort: number }>;
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  volumeMounts: Array<{ name: string; mountPath: string; readOnly?: boolean }>;
}

interface Probe {
  httpGet: { path: string; port: string };
}

interface Pod {
  terminationGracePeriodSeconds: number;
  containers: [Container];
  volumes: Array<{
    name: string;
    configMap?: { name: string; items: Array<{ key: string; path: string }> };
    secret?: { secretName: string; defaultMode: number };
    persistentVolumeClaim?: { claimName: string };
    emptyDir?: { sizeLimit: string };
  }>;
  restartPolicy?: string;
}

interface Resource {
  kind: string;
  metadata: { name: string };
  spec: { replicas?: number; strategy?: { type: string }; template: { metadata: { labels: object }; spec: Pod } };
}

const folder = join(import.meta.dirname, '../../../deploy/kubernetes');
const [scheduler, schedulerService] = readResources('workers/scheduler.yaml');
const [worker] = readResources('workers/worker.yaml');
const [single, singleService, claim] = readResources('single/feedferry.yaml');
const [backfill] = readResources('backfill/job.yaml');
const environment = parseEnv(read('config/environment.env'));
const generated = parse(read('config/kustomization.yaml')).configMapGenerator as Array<{
  name: string;
  files?: string[];
  envs?: string[];
}>;

const workloads = Object.entries({ scheduler, worker, single, backfill }) as Array<[string, Resource]>;

describe.each(workloads)('The workload %s', (_, resource) => {
  const pod = resource.spec.template.spec;
  const [container] = pod.containers;

  test('has no privileges that it does not need', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    });
    expect(container.resources).toEqual({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
    expect(container.image).toMatch(/:\d/); // never "latest"
  });

  test('sets only variables that the program reads, with secrets in mounted files', () => {
    const variables = {
      ...environment,
      ...Object.fromEntries((container.env ?? []).map((one) => [one.name, one.value])),
    };
    expect([...knownVariables]).toEqual(expect.arrayContaining(Object.keys(variables)));
    const mounted = container.volumeMounts.find(({ name }) => name === 'secrets')?.mountPath;
    for (const [name, value = ''] of Object.entries(variables)) {
      if (name.endsWith('_FILE')) expect(dirname(value)).toBe(mounted);
      else expect(name).not.toMatch(/TOKEN|SECRET|(DATABASE|REDIS)_URL/);
    }
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'feedferry-environment' } }]);
  });

  test('mounts all of its volumes and no others', () => {
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
    const paths = Object.fromEntries(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
    expect(paths).toMatchObject({
      config: environment.FEEDFERRY_CONFIG,
      data: environment.FEEDFERRY_DATA,
      tmp: '/tmp',
    });
    expect(pod.volumes.find(({ secret }) => secret)?.secret).toEqual({ secretName: 'feedferry', defaultMode: 0o440 });
  });

  test('has enough time for a clean stop', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(environment.STOP_AFTER) + 5);
  });

  test('mounts a valid config', () => {
    const config = pod.volumes.find(({ name }) => name === 'config')?.configMap;
    const files = generated.find(({ name }) => name === config?.name)?.files;
    expect(config?.items.map(({ key }) => key)).toEqual(files);
    using dir = temporaryDir();
    for (const { key, path } of config?.items ?? []) {
      mkdirSync(dirname(join(dir.path, path)), { recursive: true });
      symlinkSync(join(folder, 'config', key), join(dir.path, path)); // as the kubelet does
    }
    const { syncs } = loadConfig(dir.path, connectors, { ...environment, CMS_API_TOKEN: 'a-token' });
    expect(syncs).toHaveLength((files?.length ?? 0) - 1);
  });
});

describe.each(workloads.filter(([name]) => name !== 'backfill'))('The permanent workload %s', (_, resource) => {
  const [container] = resource.spec.template.spec.containers;

  test('has health checks over HTTP on paths that need no token', () => {
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(environment.HTTP_PORT) }]);
    expect(container.startupProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    // Probes come from the node, not over loopback; and so may others.
    expect(environment).toMatchObject({ HTTP_HOST: '0.0.0.0', HTTP_TOKEN_FILE: expect.any(String) });
  });
});

test('At most one scheduler runs, with any number of workers', () => {
  for (const one of [scheduler, single]) {
    expect(one).toMatchObject({ kind: 'Deployment', spec: { replicas: 1, strategy: { type: 'Recreate' } } });
    expect(one?.spec.template.spec.containers[0].args).toEqual(['start']);
  }
  expect(worker).toMatchObject({ kind: 'Deployment', spec: { replicas: 2 } });
  expect(worker?.spec.template.spec.containers[0].args).toEqual(['worker']);
});

test('All pods of one site share ledger, queue and key', () => {
  for (const one of [scheduler, worker, backfill]) {
    const names = one?.spec.template.spec.containers[0].env?.map(({ name }) => name);
    expect(names).toEqual(['DATABASE_URL_FILE', 'REDIS_URL_FILE', 'FEEDFERRY_SECRET_FILE']);
  }
  expect(single?.spec.template.spec.containers[0].env).toBeUndefined();
});

test('The ledger of a single pod is on a volume of its own', () => {
  const data = single?.spec.template.spec.volumes.find(({ name }) => name === 'data');
  expect(data?.persistentVolumeClaim?.claimName).toBe(claim?.metadata.name);
  expect(claim).toMatchObject({ kind: 'PersistentVolumeClaim', spec: { accessModes: ['ReadWriteOncePod'] } });
});

test('Services point to the leading pod', () => {
  for (const [service, leader] of [
    [schedulerService, scheduler],
    [singleService, single],
  ] as const) {
    expect(service).toMatchObject({ kind: 'Service', spec: { selector: leader?.spec.template.metadata.labels } });
  }
});

test.each(workloads)('The workload %s runs a command that exists', (_, resource) => {
  expect(cliCommands).toContain(resource.spec.template.spec.containers[0].args[0]);
});

test('A backfill is restarted until it is finished, except after a usage error', () => {
  expect(backfill).toMatchObject({
    kind: 'Job',
    spec: { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { values: [2] } }] } },
  });
  const { restartPolicy, containers } = backfill?.spec.template.spec ?? {};
  expect(restartPolicy).toBe('Never');
  expect(containers?.[0].args).toEqual(['backfill', 'campus-events', '--from', '2025-01-01', '--to', '2026-12-31']);
});

test.each(['workers', 'single', 'backfill'])('The file %s/kustomization.yaml names files that exist', (name) => {
  const { resources } = parse(read(`${name}/kustomization.yaml`)) as { resources: string[] };
  expect(resources[0]).toBe('../config');
  for (const file of resources.slice(1)) expect(readResources(`${name}/${file}`).length).toBeGreaterThan(0);
});

/** As Kubernetes reads YAML: 1.1. */
function readResources(file: string): Resource[] {
  return parseAllDocuments(read(file), { version: '1.1' }).map((document) => document.toJS() as Resource);
}

function read(file: string): string {
  return readFileSync(join(folder, file), 'utf8');
}
