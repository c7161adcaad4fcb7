import { svelte } from '@sveltejs/vite-plugin-svelte';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import translated from './src/lib/manifest.json' with { type: 'json' };

/** A list of all parts, for the service worker. */
function listed(): Plugin {
  return {
    name: 'nimmt-listed',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const names = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
        const source = JSON.stringify(names);
        this.emitFile({ type: 'asset', fileName: 'assets.json', source });
      },
    },
  };
}

/** What the app and its shortcuts are called, in each language: `manifest.webmanifest` itself speaks English. */
function manifests(): Plugin {
  return {
    name: 'nimmt-manifests',
    generateBundle() {
      const path = join(import.meta.dirname, 'public/manifest.webmanifest');
      const plain = JSON.parse(readFileSync(path, 'utf8')) as { shortcuts: object[] };
      for (const [lang, { description, shortcuts }] of Object.entries(translated)) {
        const named = plain.shortcuts.map((one, index) => ({ ...one, name: shortcuts[index] }));
        const source = JSON.stringify({ ...plain, lang, description, shortcuts: named });
        this.emitFile({ type: 'asset', fileName: `manifest.${lang}.webmanifest`, source });
      }
    },
  };
}

const COMPRESSIBLE = /\.(js|css|html|svg|webmanifest|json)$/;

/** Compressed once here, as small as it gets, so that the server only has to hand out files. */
function precompressed(): Plugin {
  let folder = '';
  return {
    name: 'nimmt-precompressed',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir;
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const path = join(folder, name);
        if (!COMPRESSIBLE.test(name) || !statSync(path).isFile()) continue;
        const content = readFileSync(path);
        if (content.length < 512) continue;
        const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params: quality }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

const server = process.env['NIMMT_SERVER'] ?? 'http://127.0.0.1:8666';

export default defineConfig({
  plugins: [svelte(), listed(), manifests(), precompressed()],
  resolve: {
    alias: {
      $lib: join(import.meta.dirname, 'src/lib'),
      $parts: join(import.meta.dirname, 'src/parts'),
      $games: join(import.meta.dirname, 'src/games'),
    },
  },
  // Parts find each other by where they are. Only the page itself is told: a server below a path writes it in.
  experimental: {
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `/${name}` : { relative: true }),
  },
  build: {
    outDir: process.env['NIMMT_WEB_OUT'] ?? join(import.meta.dirname, '../src/nimmt/server/static'),
    emptyOutDir: true,
    target: 'es2022',
    // Under the page's Content-Security-Policy nothing may be inline; images as data: would be allowed, scripts not.
    assetsInlineLimit: 0,
    // Parts that are fetched late bring no styles along: those that could not be fetched would not be tried again.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      '/api': { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
    },
  },
});
