// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import io.packing.process.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A folder that looks like a reader's machine: the unpacked distribution, and other projects' programs under the names
 * that the pages use. It replaces the pages' folders and ports by its own.
 */
final class DocMachine {
    private static final Path MODULES = DocPage.root();
    private static final List<String> FOLDERS =
            List.of("/srv/packing", "/var/lib/packing", "/var/log/packing", "/etc/packing", "/etc/systemd");

    /** The master's port. {@code DocPortsTest} checks that a reader's machine has it free. */
    private static final List<Integer> PORTS = List.of(19_990);

    private final Path home;
    private final Map<String, String> here = new LinkedHashMap<>();
    private final Map<String, String> environment = new HashMap<>();

    private DocMachine(Path home) {
        this.home = home;
    }

    static DocMachine in(Path home) throws IOException {
        DocMachine machine = new DocMachine(home);
        machine.unpack();
        for (String folder : FOLDERS) {
            machine.here.put("(?:(?<=file://)|(?<![\\w./-]))" + folder + "\\b", home + folder);
        }
        List<Integer> free = Ports.free(PORTS.size());
        for (int i = 0; i < PORTS.size(); i++) {
            machine.here.put("127\\.0\\.0\\.1:" + PORTS.get(i) + "\\b", "127.0.0.1:" + free.get(i));
            machine.here.put("=" + PORTS.get(i) + "\\b", "=" + free.get(i));
        }
        String master = "127.0.0.1:" + free.get(0);
        // Where the page leaves the ports to their defaults.
        machine.here.put("bin/packing bdt-master (?=--store)", "bin/packing bdt-master --bind " + master + " ");
        machine.here.put("bin/packing worker ", "bin/packing worker --port 0 ");
        machine.here.put("packing://(\\w+@)?localhost(:19990)?/", "packing://$1" + master + "/");
        // The machine may be busy with other tests.
        machine.here.put(
                "bin/packing (flush|fsck|drain|top|dump|load|gc|du|rm|mounts(?: [a-z]+)?|(?:snapshot|quota) [a-z]+)(?=\\s|$)",
                "bin/packing $1 --timeout 120s");
        machine.environment.put("PACKING_CONTEXTS", home.resolve("contexts").toString());
        machine.environment.put("PATH", home.resolve("programs") + ":" + System.getenv("PATH"));
        machine.environment.put("JAVA_HOME", System.getProperty("java.home"));
        machine.environment.put(
                "PACKING_JAVA_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1 -XX:-UsePerfData " + DocClasses.options());
        machine.environment.put("PACKING_LOG_DIR", home.resolve("logs").toString());
        // No archive of its own, which a launcher would still create when the page has ended: a relative folder is
        // none.
        machine.environment.put("XDG_CACHE_HOME", "none");
        machine.environment.put("DOC_HOME", home.toString());
        try (InputStream systemctl = DocMachine.class.getResourceAsStream("systemctl")) {
            machine.program("systemctl", Objects.requireNonNull(systemctl).readAllBytes());
        }
        return machine;
    }

    /** Returns the folder in which the commands run: that of the distribution. */
    Path folder() {
        return home.resolve("packing");
    }

    Map<String, String> environment() {
        return environment;
    }

    void set(String variable, String value) {
        environment.put(variable, value);
    }

    /** Replaces a page's folders and ports by this machine's. */
    String translate(String text) {
        String translated = text;
        for (Map.Entry<String, String> each : here.entrySet()) {
            translated = translated.replaceAll(each.getKey(), each.getValue());
        }
        return translated;
    }

    /** Puts a program on the path. */
    void program(String name, byte[] script) throws IOException {
        Path file = Files.createDirectories(home.resolve("programs")).resolve(name);
        Files.write(file, script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void unpack() throws IOException {
        copy(MODULES.resolve("dist/src/main/bin"), Files.createDirectories(folder().resolve("bin")));
        copy(MODULES.resolve("dist/src/main/libexec"), Files.createDirectories(folder().resolve("libexec")));
        copy(MODULES.resolve("dist/src/main/conf"), Files.createDirectories(folder().resolve("conf")));
        copy(MODULES.resolve("dist/src/main/systemd"), Files.createDirectories(folder().resolve("systemd")));
        copy(MODULES.resolve("conf/prices"), Files.createDirectories(folder().resolve("conf/prices")));
        linkJars(folder());
        link("packing-ufs/target", "packing-ufs-*-extension.jar", folder().resolve("alluxio"));
        link("doors/packing-hadoop/target", "packing-hadoop-*-all.jar", folder().resolve("hadoop"));
    }

    /** Makes the folder {@code lib} of a distribution. */
    static void linkJars(Path distribution) throws IOException {
        link("cli/target/lib", "*.jar", distribution.resolve("lib"));
        link("cli/target", "cli-*.jar", distribution.resolve("lib"));
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from, "*")) {
            // The copy keeps the mode: launchers are programs.
            Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private static void link(String from, String which, Path folder) throws IOException {
        Path unused = Files.createDirectories(folder);
        List<Path> files = files(MODULES.resolve(from), which);
        if (files.isEmpty()) {
            throw new IOException("there is no %s in %s: build the module first".formatted(which, from));
        }
        for (Path file : files) {
            Files.createSymbolicLink(folder.resolve(file.getFileName()), file);
        }
    }

    private static List<Path> files(Path folder, String which) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, which)) {
            for (Path file : stream) {
                if (Files.isRegularFile(file)) {
                    files.add(file);
                }
            }
        }
        return files;
    }
}
