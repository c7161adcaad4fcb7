import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { quiet } from '$lib/afterwards';
import { speak } from '$lib/i18n.svelte';
import { keepInstall } from '$lib/install.svelte';
import { patiently } from '$lib/loading.svelte';
import { keepRoute } from '$lib/router.svelte';
import { keepSettings, spoken } from '$lib/settings.svelte';
import { keepShell } from '$lib/shell';
import { wakeSounds } from '$lib/sounds';
import { lateScreen } from './screens/late';

keepRoute();
keepInstall();
await speak(spoken());
keepSettings();
wakeSounds();
mount(App, { target: document.getElementById('app')! });
keepShell(async () => {
  // The home, and what it says without a connection.
  const [{ texts }] = await Promise.all([import('$lib/calls/texts'), lateScreen({ screen: 'lobby' })]);
  await texts.ready();
});
void quiet()
  .then(() => patiently(() => import('$lib/calls/calling.svelte')))
  .then(({ keepCalling }) => keepCalling());
