package dev.fencing.actuate;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;

import dev.fencing.FencingException;

/**
 * Hides the keys of resources: {@code document:42} becomes {@code document:#9f86d081}.
 * The same key looks the same until the application is started anew, so that one sees
 * what belongs together. The secret is random and never leaves the process: nobody finds
 * the key by trying all there are, but for those who may ask this endpoint about each.
 *
 * @since 0.1.0
 */
public final class KeyMask {

	/**
	 * Hides nothing.
	 */
	public static final KeyMask NONE = new KeyMask(null);

	private static final String ALGORITHM = "HmacSHA256";

	private static final int SHOWN_BYTES = 4;

	private final @Nullable SecretKeySpec secret;

	private KeyMask(@Nullable SecretKeySpec secret) {
		this.secret = secret;
	}

	/**
	 * Create a mask with a secret of its own.
	 * @return a mask that hides keys; never null
	 */
	public static KeyMask random() {
		byte[] secret = new byte[32];
		new SecureRandom().nextBytes(secret);
		return new KeyMask(new SecretKeySpec(secret, ALGORITHM));
	}

	/**
	 * Hide the key of a resource. A resource without one is the lock name, and stays.
	 * @param resource the resource; never null
	 * @return what may be shown; never null
	 */
	String mask(String resource) {
		int key = resource.indexOf(':') + 1;
		return (this.secret == null || key == 0) ? resource
				: resource.substring(0, key) + "#" + digest(this.secret, resource);
	}

	/**
	 * Return what may be shown of a failure: its message may hold a key, in whichever
	 * form.
	 * @param failure the failure; never null
	 * @return its message, or its kind if keys are hidden; never null
	 */
	String mask(Throwable failure) {
		return (this.secret == null) ? message(failure)
				: failure.getClass().getSimpleName() + " (its message may hold a key, and is in the log)";
	}

	// What Spring says of a failure of the database leaves out why; what we say does not
	private static String message(Throwable failure) {
		boolean saysWhy = failure instanceof FencingException || !(failure instanceof DataAccessException);
		return String.valueOf((saysWhy ? failure : NestedExceptionUtils.getMostSpecificCause(failure)).getMessage());
	}

	private static String digest(SecretKeySpec secret, String resource) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(secret);
			byte[] digest = mac.doFinal(resource.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, SHOWN_BYTES);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every JDK has " + ALGORITHM, ex);
		}
	}

}
