package dev.fencing.interceptor.elsewhere;

import dev.fencing.FencedLock;

/**
 * Has a method that subclasses in other packages, and so their proxies, cannot override.
 */
public class PackagePrivateBase {

	@FencedLock("base")
	void work() {
	}

}
