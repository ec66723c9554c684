package dev.fencing.testsupport;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The class path of the tests without some of its jars. Unlike with a filter in front of
 * the usual class loader, our own classes are loaded anew, so that one that refers to
 * what is absent fails as it would for a user.
 */
public final class ClassPathWithout implements AutoCloseable {

	private final RecordingClassLoader classLoader;

	private ClassPathWithout(RecordingClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	/**
	 * Leave jars out.
	 * @param jars the beginnings of the names of their files
	 * @return the rest of the class path
	 */
	public static ClassPathWithout jars(String... jars) {
		Predicate<Path> absent = (path) -> Arrays.stream(jars)
			.anyMatch((jar) -> path.getFileName().toString().startsWith(jar));
		URL[] urls = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter(absent.negate())
			.map(ClassPathWithout::url)
			.toArray(URL[]::new);
		return new ClassPathWithout(new RecordingClassLoader(urls));
	}

	/**
	 * Run code on this class path.
	 * @param type a class with a constructor without arguments, loaded anew
	 * @return what it returned: of a type of the JDK
	 * @throws Exception what it threw
	 */
	@SuppressWarnings("unchecked")
	public <T> T call(Class<? extends Callable<T>> type) throws Exception {
		// Looks for drivers once, with the class loader of whoever comes first
		DriverManager.drivers().close();
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		Thread.currentThread().setContextClassLoader(this.classLoader);
		try {
			Class<?> loaded = Class.forName(type.getName(), true, this.classLoader);
			return ((Callable<T>) loaded.getDeclaredConstructor().newInstance()).call();
		}
		finally {
			Thread.currentThread().setContextClassLoader(before);
		}
	}

	/**
	 * Return what was loaded of this class path.
	 * @param prefix the beginning of the names of classes
	 * @return the names; never null
	 */
	public List<String> loaded(String prefix) {
		return this.classLoader.loaded.stream().filter((name) -> name.startsWith(prefix)).sorted().toList();
	}

	@Override
	public void close() throws IOException {
		this.classLoader.close();
	}

	private static URL url(Path path) {
		try {
			return path.toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	private static final class RecordingClassLoader extends URLClassLoader {

		private final Set<String> loaded = ConcurrentHashMap.newKeySet();

		private RecordingClassLoader(URL[] urls) {
			super(urls, ClassLoader.getPlatformClassLoader());
		}

		@Override
		protected Class<?> findClass(String name) throws ClassNotFoundException {
			Class<?> found = super.findClass(name);
			this.loaded.add(name);
			return found;
		}

	}

}
