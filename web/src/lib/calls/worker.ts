/** The service worker, through which notifications go; there is none while developing. */
import { to } from '$lib/base';

export async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration(to('/')) : undefined;
}

/** Whether this browser may show notifications. */
export function permission(): NotificationPermission | 'unsupported' {
  return 'Notification' in globalThis && 'serviceWorker' in navigator
    ? Notification.permission
    : 'unsupported';
}
