// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A test that the jars for other products' processes load on those products' Java. */
@Tag("process")
class JarVersionsIT {
    private static final int JAVA_11 = 55;

    private static Path jar(String folder, String name) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(file -> file.getFileName().toString().matches(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void everyClassIsOneForJava11() throws IOException {
        for (Path jar : Set.of(
                jar("../packing-ufs/target", "packing-ufs-.*-extension\\.jar"),
                jar("../doors/packing-plugin/target", "packing-plugin-[^-]*(-SNAPSHOT)?\\.jar"),
                jar("../doors/packing-hadoop/target", "packing-hadoop-.*-all\\.jar"),
                jar("../trace-htfs/target", "trace-htfs-.*-all\\.jar"))) {
            Set<String> newer = new TreeSet<>();
            int classes = 0;
            try (JarFile file = new JarFile(jar.toFile())) {
                for (JarEntry entry : (Iterable<JarEntry>) file.stream()::iterator) {
                    // Only a newer Java takes these classes.
                    if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/versions/")) {
                        classes++;
                        if (version(file, entry) > JAVA_11) {
                            newer.add(entry.getName());
                        }
                    }
                }
            }
            assertThat(classes).as("classes of %s", jar).isGreaterThan(10);
            assertThat(newer).as("classes of %s for a newer Java", jar).isEmpty();
        }
    }

    /** The processes have an OpenTelemetry of their own, of any version. */
    @Test
    void noJarForOthersProcessesBringsOpenTelemetry() throws IOException {
        for (Path jar : Set.of(
                jar("../packing-ufs/target", "packing-ufs-.*-extension\\.jar"),
                jar("../doors/packing-hadoop/target", "packing-hadoop-.*-all\\.jar"))) {
            try (JarFile file = new JarFile(jar.toFile())) {
                assertThat(file.stream().map(JarEntry::getName))
                        .as("%s", jar)
                        .contains("io/packing/spans/Spans.class")
                        .noneMatch(name -> name.contains("opentelemetry"));
            }
        }
    }

    private static int version(JarFile file, JarEntry entry) throws IOException {
        try (DataInputStream in = new DataInputStream(file.getInputStream(entry))) {
            in.readInt();
            in.readUnsignedShort();
            return in.readUnsignedShort();
        }
    }
}
