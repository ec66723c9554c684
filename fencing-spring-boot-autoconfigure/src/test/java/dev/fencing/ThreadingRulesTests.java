package dev.fencing;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What our classes must not do, so that a virtual thread never blocks the thread that
 * carries it and nothing travels to another thread by itself.
 */
class ThreadingRulesTests {

	private static final String OURS = "classpath*:dev/fencing/**/*.class";

	@Test
	void nothingHoldsTheMonitorOfAnObject() throws IOException {
		List<String> found = new ArrayList<>();
		for (Resource type : mainClasses()) {
			found.addAll(violations(type));
		}
		assertThat(found).isEmpty();
	}

	@Test
	void whatIsForbiddenIsFound() throws IOException {
		assertThat(violations(new PathMatchingResourcePatternResolver()
			.getResource("classpath:dev/fencing/ThreadingRulesTests$Forbidden.class")))
			.containsExactly("ThreadingRulesTests$Forbidden.<init> uses java/lang/InheritableThreadLocal",
					"ThreadingRulesTests$Forbidden.method is synchronized",
					"ThreadingRulesTests$Forbidden.block is synchronized",
					"ThreadingRulesTests$Forbidden.block waits for a monitor");
	}

	private static List<Resource> mainClasses() throws IOException {
		List<Resource> classes = new ArrayList<>();
		for (Resource type : new PathMatchingResourcePatternResolver().getResources(OURS)) {
			if (!type.getURL().getPath().contains("/test-classes/")) {
				classes.add(type);
			}
		}
		assertThat(classes).hasSizeGreaterThan(100);
		return classes;
	}

	private static List<String> violations(Resource type) throws IOException {
		List<String> found = new ArrayList<>();
		try (InputStream stream = type.getInputStream()) {
			String name = String.valueOf(type.getFilename()).replace(".class", "");
			new ClassReader(stream).accept(new Rules(name, found), ClassReader.SKIP_DEBUG);
		}
		return found;
	}

	private static final class Rules extends ClassVisitor {

		private final String type;

		private final List<String> found;

		private Rules(String type, List<String> found) {
			super(SpringAsmInfo.ASM_VERSION);
			this.type = type;
			this.found = found;
		}

		@Override
		public MethodVisitor visitMethod(int access, String name, String descriptor, @Nullable String signature,
				String @Nullable [] exceptions) {
			if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
				add(name, "is synchronized");
			}
			return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {
				@Override
				public void visitInsn(int opcode) {
					if (opcode == Opcodes.MONITORENTER) {
						add(name, "is synchronized");
					}
				}

				@Override
				public void visitMethodInsn(int opcode, String owner, String called, String descriptor,
						boolean isInterface) {
					if (owner.equals("java/lang/Object") && called.equals("wait")) {
						add(name, "waits for a monitor");
					}
				}

				@Override
				public void visitTypeInsn(int opcode, String created) {
					if (created.equals("java/lang/InheritableThreadLocal")) {
						add(name, "uses " + created);
					}
				}
			};
		}

		private void add(String method, String what) {
			this.found.add("%s.%s %s".formatted(this.type, method, what));
		}

	}

	static class Forbidden {

		final ThreadLocal<String> inherited = new InheritableThreadLocal<>();

		synchronized void method() {
		}

		void block() throws InterruptedException {
			synchronized (this.inherited) {
				this.inherited.wait();
			}
		}

	}

}
