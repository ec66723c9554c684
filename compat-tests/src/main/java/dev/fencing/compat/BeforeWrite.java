package dev.fencing.compat;

import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * What happens to a request under its lease before it writes: for tests to set.
 */
@Component
public class BeforeWrite {

	private volatile @Nullable Runnable code;

	public void set(Runnable code) {
		this.code = code;
	}

	public void clear() {
		this.code = null;
	}

	void run() {
		Runnable set = this.code;
		if (set != null) {
			set.run();
		}
	}

}
