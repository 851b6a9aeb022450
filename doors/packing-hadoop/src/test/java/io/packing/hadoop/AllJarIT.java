// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.storeservers.RoleInJar;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreInJar;
import io.packing.storeservers.StoreServer;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The content of the jar that goes onto a Hadoop application's class path. */
@Tag("process")
final class AllJarIT {
    /** An interface of Hadoop's own, as it is there, for versions before 3.3.6, which lack it. */
    private static final String LENT = "org/apache/hadoop/fs/LeaseRecoverable.class";

    /** The two classes that JvmDowngrader's stand-ins for Java's classes need. */
    private static final String ERROR = "xyz/wagyourtail/jvmdg/exc/MissingStubError.class";

    private static final String ACCESS = "xyz/wagyourtail/jvmdg/util/Utils.class";

    /** Its native code knows the names of its classes. Whichever version comes first on a class path serves all. */
    private static final String ZSTANDARD = "com/github/luben/zstd/";

    @Test
    void everyClassIsBelowOurPackageSoThatNoneOfTheApplicationsIsShadowed() throws IOException {
        Set<String> strange = new TreeSet<>();
        try (JarFile jar = jar()) {
            jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.replaceFirst("^META-INF/versions/[0-9]+/", ""))
                    .filter(name -> !name.startsWith("io/packing/") && !name.startsWith(ZSTANDARD))
                    .forEach(strange::add);
        }
        assertThat(strange).containsExactly(LENT, ERROR, ACCESS);
    }

    @Test
    void everyServiceThatIsNamedIsInside() throws IOException {
        try (JarFile jar = jar()) {
            List<ZipEntry> services = jar.stream()
                    .filter(entry -> entry.getName().startsWith("META-INF/services/") && !entry.isDirectory())
                    .map(entry -> (ZipEntry) entry)
                    .toList();
            assertThat(services)
                    .extracting(ZipEntry::getName)
                    .contains("META-INF/services/org.apache.hadoop.fs.FileSystem");
            for (ZipEntry service : services) {
                String text = new String(jar.getInputStream(service).readAllBytes(), StandardCharsets.UTF_8);
                for (String line : text.split("\n", -1)) {
                    String provider = line.replaceFirst("#.*", "").strip();
                    assertThat(provider.isEmpty() || jar.getEntry(provider.replace('.', '/') + ".class") != null)
                            .as("%s, named by %s", provider, service.getName())
                            .isTrue();
                }
            }
        }
    }

    /** A class path without HDFS, as that of applications that have Hadoop for another store. */
    private static final class WithoutHdfs extends URLClassLoader {
        private final List<String> refused = new ArrayList<>();

        WithoutHdfs(URL[] classPath) {
            super(classPath, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.apache.hadoop.hdfs.")) {
                refused.add(name);
                throw new ClassNotFoundException(name + ": no HDFS here");
            }
            return super.findClass(name);
        }
    }

    @Test
    void withoutTheClientOfHdfsTheFileSystemIsFoundAndLoaded() throws Exception {
        List<URL> classPath = new ArrayList<>();
        classPath.add(new File(System.getProperty("packing.all.jar")).toURI().toURL());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            // Without logback no log shows which file systems of Hadoop's own cannot be loaded there.
            if (entry.endsWith(".jar") && !entry.contains("logback")) {
                classPath.add(new File(entry).toURI().toURL());
            }
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (WithoutHdfs loader = new WithoutHdfs(classPath.toArray(URL[]::new))) {
            thread.setContextClassLoader(loader);
            // Initialized: so every method of it was verified.
            Class<?> found = Class.forName("io.packing.hadoop.PackingHadoopFileSystem", true, loader);
            Class<?> base = Class.forName("org.apache.hadoop.fs.FileSystem", true, loader);
            assertThat(found.getDeclaredConstructor().newInstance()).isInstanceOf(base);
            assertThat(loader.refused).isEmpty();
            Class<?> configuration = Class.forName("org.apache.hadoop.conf.Configuration", true, loader);
            Object byItsScheme = base.getMethod("getFileSystemClass", String.class, configuration)
                    .invoke(null, "packing", configuration.getConstructor().newInstance());
            assertThat(byItsScheme).isEqualTo(found);
            // Methods that need that client, and no others, name the missing class.
            assertThatThrownBy(found::getMethods).hasMessageContaining("SnapshotDiffReport");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** The stand-in for {@code ByteBuffer.slice} with numbers moves a buffer that other threads may be reading. */
    @Test
    void buffersAreCutByOurOwnClass() throws IOException {
        try (JarFile jar = jar()) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .anyMatch(name -> name.endsWith("io/packing/buffers/Slices.class"))
                    .noneMatch(name -> name.endsWith("/java_base/J_N_Buffer.class"));
        }
    }

    @Test
    void aPodsRoleOpensTheStoreFromInsideTheJar(@TempDir Path directory) throws Exception {
        assertThat(RoleInJar.keys(new File(System.getProperty("packing.all.jar")), directory))
                .containsExactly("ASIASTS1");
    }

    @ParameterizedTest
    @EnumSource(names = {"FAKE_GCS", "AZURITE"})
    void storesOfOtherCloudsAreUsedFromInsideTheJar(ServerKind kind, @TempDir Path directory) throws Exception {
        assumeTrue(kind.find().isPresent(), kind.howToInstall());
        ByteBuffer bytes = ByteBuffer.wrap("from inside the jar".getBytes(StandardCharsets.UTF_8));
        try (StoreServer server = StoreServer.start(kind, directory)) {
            assertThat(StoreInJar.putAndGet(
                            new File(System.getProperty("packing.all.jar")), kind, server.endpoint(), bytes))
                    .isEqualTo(bytes);
        }
    }

    private static JarFile jar() throws IOException {
        return new JarFile(new File(System.getProperty("packing.all.jar")));
    }
}
