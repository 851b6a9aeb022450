// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.trace.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The causes of a recording's calls, by the recorded stacks: the library, and its group in Figures 2.25 and 2.28.
 * Memory grows with the number of stacks. Confined to one thread.
 */
final class Askers {
    /** The cause of a call by the program itself; the next ones are another library, and a call without a stack. */
    static final String PROGRAM = "program";

    static final String OTHER = "other library";
    static final String UNKNOWN = "no stack";

    private static final String FRAMES = "frames=";
    private static final String STACK = "stack=";
    private static final Asker NOBODY = new Asker(UNKNOWN, "");

    /**
     * The cause of a call.
     *
     * @param cause one of {@link #causes}
     * @param library the innermost one that is no layer of the system; empty without a stack
     */
    record Asker(String cause, String library) {}

    private record Rule(String cause, Pattern frame) {}

    private record Key(String host, long number) {}

    private final List<Rule> rules = new ArrayList<>();
    private final Pattern layers;
    private final Map<Key, Asker> known = new HashMap<>();

    Askers() {
        Config config = ConfigFactory.parseResources(Askers.class, "askers.conf");
        for (Config rule : config.getConfigList("askers")) {
            rules.add(new Rule(rule.getString("cause"), Pattern.compile(rule.getString("frame"))));
        }
        layers = Pattern.compile(config.getString("layers"));
    }

    /** Returns the causes in the order of the rules, and then those without a rule. */
    static List<String> causes() {
        List<String> causes = new ArrayList<>();
        new Askers().rules.stream().map(Rule::cause).distinct().forEach(causes::add);
        causes.addAll(List.of(PROGRAM, OTHER, UNKNOWN));
        return causes;
    }

    /** Takes a stack of the recording. */
    void add(TraceEvent note) {
        if (note.hints().startsWith(FRAMES)) {
            String[] frames = note.hints().substring(FRAMES.length()).split("\\|", -1);
            known.put(new Key(note.origin().host(), note.result()), asker(List.of(frames)));
        }
    }

    private Asker asker(List<String> frames) {
        String library = frames.stream()
                .filter(frame -> !layers.matcher(frame).find())
                .map(Askers::library)
                .findFirst()
                .orElseGet(() -> library(frames.get(frames.size() - 1)));
        for (String frame : frames) {
            for (Rule rule : rules) {
                if (rule.frame().matcher(frame).find()) {
                    return new Asker(rule.cause(), library);
                }
            }
        }
        return new Asker(library.contains(".so") ? OTHER : PROGRAM, library);
    }

    private static String library(String frame) {
        int end = frame.indexOf('!');
        return end < 0 ? frame : frame.substring(0, end);
    }

    /** Returns the cause of a call; {@link #UNKNOWN} without a recorded stack. */
    Asker of(TraceEvent event) {
        int at = event.hints().lastIndexOf(STACK);
        if (at < 0) {
            return NOBODY;
        }
        try {
            long number = Long.parseLong(event.hints().substring(at + STACK.length()));
            return known.getOrDefault(new Key(event.origin().host(), number), NOBODY);
        } catch (NumberFormatException e) {
            // The trace comes from another recorder.
            return NOBODY;
        }
    }
}
