import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import { speak } from '$lib/i18n.svelte';
import { keepRoute } from '$lib/router.svelte';
import { keepSettings, spoken } from '$lib/settings.svelte';
import { keepShell } from '$lib/shell';
import { wakeSounds } from '$lib/sounds';
import { lateScreen } from './screens/late';

keepRoute();
await speak(spoken());
keepSettings();
wakeSounds();
mount(App, { target: document.getElementById('app')! });
keepShell(() => lateScreen({ screen: 'lobby' }));
