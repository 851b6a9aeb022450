package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What is inside the jar that goes onto a Hadoop application's class path. */
final class AllJarIT {
    /** An interface of Hadoop's own, as it is there, for versions before 3.3.6, which lack it. */
    private static final String LENT = "org/apache/hadoop/fs/LeaseRecoverable.class";

    @Test
    void everyClassIsBelowOurPackageSoThatNoneOfTheApplicationsIsShadowed() throws IOException {
        Set<String> strange = new TreeSet<>();
        try (JarFile jar = jar()) {
            jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.replaceFirst("^META-INF/versions/[0-9]+/", ""))
                    .filter(name -> !name.startsWith("io/packing/"))
                    .forEach(strange::add);
        }
        assertThat(strange).containsExactly(LENT);
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

    private static JarFile jar() throws IOException {
        return new JarFile(new File(System.getProperty("packing.all.jar")));
    }
}
