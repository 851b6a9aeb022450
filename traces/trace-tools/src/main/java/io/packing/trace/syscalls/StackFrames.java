// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The functions on the stack of a call, innermost first, each as {@code library!function} or {@code library}. Addresses
 * are left out, so that calls of equal origin have equal stacks. Confined to one thread.
 */
final class StackFrames {
    /** A function as strace's {@code -k} prints it, behind a space and an angle bracket. */
    private static final Pattern FRAME = Pattern.compile("(.*?)\\((.*)\\) \\[0x[0-9a-f]+\\]");

    private static final Pattern OFFSET = Pattern.compile("\\+0x[0-9a-f]+$");
    private static final Pattern NOT_IN_HINTS = Pattern.compile("[\\s|]");
    private static final int LONGEST_FUNCTION = 120;
    /** The most frames of a stack: deeper ones say little about the caller, and a text of a trace is at most 64 KiB. */
    private static final int DEEPEST = 100;

    /** A function as DTrace prints it. */
    private static final Pattern DTRACE_FRAME = Pattern.compile("\\s+([^`]+)`(.+)");

    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]+");

    private final List<String> frames = new ArrayList<>();

    /** Returns whether a line of strace is a frame of the call before. */
    static boolean isFrame(String line) {
        return line.startsWith(" > ");
    }

    /** Adds a frame from a line of strace; equal neighbours become one. */
    void add(String line) {
        add(parse(line.substring(" > ".length())));
    }

    /** Adds a frame of DTrace; returns false if the line is none. */
    boolean addDtrace(String line) {
        Matcher matcher = DTRACE_FRAME.matcher(line);
        if (!matcher.matches()) {
            return false;
        }
        String function = function(matcher.group(2));
        String library = matcher.group(1);
        boolean named = !ADDRESS.matcher(function).matches();
        add(Optional.of(clean(named ? library + "!" + function : library)));
        return true;
    }

    private void add(Optional<String> frame) {
        if (frame.isPresent() && frames.size() < DEEPEST) {
            boolean again = !frames.isEmpty() && frames.get(frames.size() - 1).equals(frame.get());
            if (!again) {
                frames.add(frame.get());
            }
        }
    }

    private static Optional<String> parse(String text) {
        Matcher matcher = FRAME.matcher(text);
        if (!matcher.matches()) {
            // strace does not know the library of this frame.
            return Optional.empty();
        }
        String path = matcher.group(1);
        String library = path.substring(path.lastIndexOf('/') + 1);
        String function = function(matcher.group(2));
        return Optional.of(clean(function.isEmpty() ? library : library + "!" + function));
    }

    /** Returns a function without its arguments and its offset. */
    private static String function(String symbol) {
        String name = OFFSET.matcher(symbol).replaceFirst("");
        int arguments = name.startsWith("(anonymous namespace)") ? -1 : name.indexOf('(', 1);
        String bare = arguments < 0 ? name : name.substring(0, arguments);
        return bare.substring(0, Math.min(bare.length(), LONGEST_FUNCTION));
    }

    private static String clean(String frame) {
        return NOT_IN_HINTS.matcher(frame).replaceAll("_");
    }

    /** Returns the frames so far, and begins a new stack. */
    List<String> take() {
        List<String> all = List.copyOf(frames);
        frames.clear();
        return all;
    }
}
