// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One naming in all results that {@code --json} prints: words in small letters with {@code _} between them. */
class JsonNamesTest {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]*(_[a-z0-9]+)*");
    private static final ObjectMapper JSON = Report.json();

    /** Results are records: of the commands, of the operations, of traces and of the simulator. */
    @Test
    void everyFieldOfEveryResultHasThisForm() throws IOException, ClassNotFoundException {
        List<String> wrong = new ArrayList<>();
        int records = 0;
        for (Class<?> type : classes(Path.of("target/classes"))) {
            if (type.isRecord()) {
                records++;
                wrong.addAll(wrong(type));
            }
        }
        assertThat(records).isGreaterThan(40);
        assertThat(wrong).isEmpty();
    }

    /** Another writer of JSON would have another naming. */
    @Test
    void noCommandHasAWriterOfItsOwn() throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            assertThat(sources.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> !file.endsWith("Report.java"))
                            .filter(JsonNamesTest::writesJson))
                    .isEmpty();
        }
    }

    private static boolean writesJson(Path source) {
        try {
            String text = Files.readString(source);
            return text.contains("new ObjectMapper()") && text.contains(".write");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> wrong(Class<?> type) {
        BeanDescription described = JSON.getSerializationConfig().introspect(JSON.constructType(type));
        return described.findProperties().stream()
                .map(BeanPropertyDefinition::getName)
                .filter(name -> !NAME.matcher(name).matches())
                .map(name -> type.getName() + "." + name)
                .toList();
    }

    private static List<Class<?>> classes(Path root) throws IOException, ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                String name = root.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
                if (!name.endsWith("-info")) {
                    classes.add(Class.forName(name, false, JsonNamesTest.class.getClassLoader()));
                }
            }
        }
        return classes;
    }
}
