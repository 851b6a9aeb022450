// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources of the project: those of every module that the root's pom names. */
final class ProjectSources {
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    private ProjectSources() {}

    /** Returns the folder of the root pom, above the module whose tests run. */
    static Path root() throws IOException {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path pom = at.resolve("pom.xml");
            if (Files.exists(pom) && Files.readString(pom).contains("<modules>")) {
                return at;
            }
        }
        throw new IOException("no pom with modules above " + Path.of("").toAbsolutePath());
    }

    static List<String> modules(Path root) throws IOException {
        return MODULE.matcher(Files.readString(root.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1).strip())
                .toList();
    }

    static List<JavaSource> all() throws IOException {
        Path root = root();
        List<JavaSource> sources = new ArrayList<>();
        for (String module : modules(root)) {
            for (String part : List.of("src/main/java", "src/test/java")) {
                Path folder = root.resolve(module).resolve(part);
                if (Files.isDirectory(folder)) {
                    read(root, module, folder, sources);
                }
            }
        }
        return sources;
    }

    private static void read(Path root, String module, Path folder, List<JavaSource> into) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            into.add(JavaSource.of(module, root.relativize(file).toString(), Files.readString(file)));
        }
    }
}
