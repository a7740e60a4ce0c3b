// Builds dist/ with plain tsc: Node does not strip types inside node_modules, so the package ships JavaScript.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
chmodSync('dist/src/cli/main.js', 0o755);
