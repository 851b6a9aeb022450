// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.cli.launch.JsonResults;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The output of a command: text for people, or one JSON value with {@code --json}. */
public final class Report {
    @Option(names = "--json", description = "Print one JSON value instead of text.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    public boolean isJson() {
        return json;
    }

    /** Returns the writer for JSON and other exact output. */
    public PrintWriter out() {
        return Objects.requireNonNull(command).commandLine().getOut();
    }

    /** Returns the writer for lines of text, in which names do not control the terminal. */
    public PrintWriter text() {
        return new PrintableWriter(out());
    }

    /** Returns the writer for warnings, in which names do not control the terminal. */
    public PrintWriter err() {
        return new PrintableWriter(Objects.requireNonNull(command).commandLine().getErr());
    }

    /** Prints {@code value} as JSON, or else what {@code text} prints. */
    public void print(Object value, Text text) {
        PrintWriter out = out();
        if (json) {
            try {
                out.println(JsonResults.indented().writeValueAsString(value));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("not a JSON value: " + value, e);
            }
        } else {
            text.to(new PrintableWriter(out));
        }
        out.flush();
    }

    /** Prints one of several values: as text, or as one line of JSON. */
    public void printLine(Object value, Text text) {
        PrintWriter out = out();
        if (json) {
            try {
                out.println(JsonResults.lines().writeValueAsString(value));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("not a JSON value: " + value, e);
            }
        } else {
            text.to(new PrintableWriter(out));
        }
        out.flush();
    }

    /** Returns the writer of all results in JSON, for results that are written piece by piece or into files. */
    public static ObjectMapper json() {
        return JsonResults.indented().copy();
    }

    /** The fields of a JSON value, for those who have more to tell. */
    public static Map<String, Object> fields(Object value) {
        return JsonResults.indented().convertValue(value, new TypeReference<LinkedHashMap<String, Object>>() {});
    }

    /** The form for people. */
    public interface Text {
        void to(PrintWriter out);
    }
}
