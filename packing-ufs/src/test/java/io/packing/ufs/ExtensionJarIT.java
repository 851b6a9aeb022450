// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.storeservers.RoleInJar;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreInJar;
import io.packing.storeservers.StoreServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

/** The content of the jar that goes into Alluxio's extensions directory. */
@Tag("process")
class ExtensionJarIT {
    /**
     * Everything else is relocated below io/packing. The JNI classes cannot be: their native code knows their names.
     * JvmDowngrader's stand-ins for Java's classes need two under their own names.
     */
    private static final List<String> OWN = List.of(
            "io/packing/",
            "io/grpc/netty/shaded/",
            "org/fusesource/leveldbjni/",
            "org/fusesource/hawtjni/",
            "org/iq80/leveldb/",
            "org/rocksdb/",
            "com/github/luben/zstd/",
            "xyz/wagyourtail/jvmdg/");

    @Test
    void onlyRelocatedOrNativeClassesAreInside() throws IOException {
        Set<String> strange = new TreeSet<>();
        try (JarFile jar = jar()) {
            jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.replaceFirst("^META-INF/versions/[0-9]+/", ""))
                    .filter(name -> OWN.stream().noneMatch(name::startsWith))
                    .map(name -> name.substring(0, Math.max(0, name.lastIndexOf('/'))))
                    .forEach(strange::add);
        }
        assertThat(strange)
                .as("packages that could shadow those of Alluxio's server")
                .isEmpty();
    }

    /**
     * A stand-in may differ from its original: that of {@code ByteBuffer.slice} with numbers, in {@code J_N_Buffer},
     * moves a buffer that other threads may be reading, so {@code Slices} cuts buffers. A developer who adds one here
     * has read it.
     */
    @Test
    void whatStandsForClassesOfJavaWasRead() throws IOException {
        try (JarFile jar = jar()) {
            assertThat(jar.stream()
                            .map(ZipEntry::getName)
                            .filter(name -> name.contains("/stub/java_base/") && name.endsWith(".class"))
                            .map(name -> name.replaceFirst(".*/", "").replaceFirst("([$][^.]*)?[.]class", ""))
                            .distinct())
                    .containsExactlyInAnyOrder(
                            "J_I_InputStream",
                            "J_L_Class",
                            "J_L_R_RecordComponent",
                            "J_L_Record",
                            "J_L_String",
                            "J_N_ByteBuffer",
                            "J_U_C_CompletionStage",
                            "J_U_HexFormat",
                            "J_U_R_RandomGenerator",
                            "J_U_S_Stream");
        }
    }

    @Test
    void servicesAreNamedAfterTheirRelocation() throws IOException {
        try (JarFile jar = jar()) {
            List<ZipEntry> services = jar.stream()
                    .filter(entry -> entry.getName().startsWith("META-INF/services/") && !entry.isDirectory())
                    .map(entry -> (ZipEntry) entry)
                    .toList();
            assertThat(services)
                    .extracting(ZipEntry::getName)
                    .contains("META-INF/services/alluxio.underfs.UnderFileSystemFactory");
            for (ZipEntry service : services) {
                for (String provider : lines(jar, service)) {
                    assertThat(jar.getEntry(provider.replace('.', '/') + ".class"))
                            .as("%s, named by %s", provider, service.getName())
                            .isNotNull();
                }
            }
        }
    }

    @Test
    void interceptorsOfTheStoreClientAreNamedAfterTheirRelocation() throws IOException {
        try (JarFile jar = jar()) {
            List<ZipEntry> lists = jar.stream()
                    .filter(entry -> entry.getName().endsWith("execution.interceptors"))
                    .map(entry -> (ZipEntry) entry)
                    .toList();
            for (ZipEntry list : lists) {
                for (String interceptor : lines(jar, list)) {
                    assertThat(jar.getEntry(interceptor.replace('.', '/') + ".class"))
                            .as("%s, named by %s", interceptor, list.getName())
                            .isNotNull();
                }
            }
        }
    }

    @Test
    void aPodsRoleOpensTheStoreFromInsideTheJar(@TempDir Path directory) throws Exception {
        assertThat(RoleInJar.keys(new File(System.getProperty("packing.extension.jar")), directory))
                .containsExactly("ASIASTS1");
    }

    @ParameterizedTest
    @EnumSource(names = {"FAKE_GCS", "AZURITE"})
    void storesOfOtherCloudsAreUsedFromInsideTheJar(ServerKind kind, @TempDir Path directory) throws Exception {
        assumeTrue(kind.find().isPresent(), kind.howToInstall());
        ByteBuffer bytes = ByteBuffer.wrap("from inside the jar".getBytes(StandardCharsets.UTF_8));
        try (StoreServer server = StoreServer.start(kind, directory)) {
            assertThat(StoreInJar.putAndGet(
                            new File(System.getProperty("packing.extension.jar")), kind, server.endpoint(), bytes))
                    .isEqualTo(bytes);
        }
    }

    private static List<String> lines(JarFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .toList();
        }
    }

    private static JarFile jar() throws IOException {
        return new JarFile(new File(System.getProperty("packing.extension.jar")));
    }
}
