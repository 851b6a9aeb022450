// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The arguments of a system call, as strace prints them. A missing argument, or one of another kind, is empty or
 * unknown.
 */
record Arguments(List<String> texts) {
    private static final Pattern SEGMENT = Pattern.compile("iov_len=([0-9]+)");

    Arguments {
        texts = List.copyOf(texts);
    }

    int count() {
        return texts.size();
    }

    String text(int at) {
        return at < texts.size() ? texts.get(at) : "";
    }

    long number(int at) {
        return StraceNumbers.leading(text(at), -1);
    }

    boolean isNull(int at) {
        return text(at).equals("NULL") || text(at).equals("0");
    }

    /** Returns whether an argument of flags, separated by bars, has one. */
    boolean has(int at, String flag) {
        return ("|" + text(at) + "|").contains("|" + flag + "|");
    }

    /** Returns the number of a descriptor; -1 for none, and for the current directory. */
    int descriptor(int at) {
        String text = text(at);
        return text.startsWith("AT_FDCWD") ? -1 : (int) StraceNumbers.leading(text, -1);
    }

    DescriptorName descriptorName(int at) {
        String text = text(at);
        int end = text.indexOf('<');
        return end < 0 ? DescriptorName.UNKNOWN : DescriptorName.behind(text, end);
    }

    /** Returns a path; empty if strace did not print it. */
    Optional<String> path(int at) {
        String text = text(at);
        if (!text.startsWith("\"")) {
            return Optional.empty();
        }
        int end = StraceText.endOfQuotes(text, 0);
        return end < 0 ? Optional.empty() : Optional.of(StraceText.unescape(text.substring(1, end)));
    }

    /** Returns a number behind a pointer, such as {@code [17]} or {@code [17 => 20]}; -1 without one. */
    long pointed(int at) {
        String text = text(at);
        return text.startsWith("[") ? StraceNumbers.leading(text.substring(1), -1) : -1;
    }

    /** Returns a field of a structure, up to the next comma or brace. */
    Optional<String> field(int at, String name) {
        String text = text(at);
        int start = text.indexOf(name + "=");
        if (start < 0 || (start > 0 && Character.isLetterOrDigit(text.charAt(start - 1)))) {
            return Optional.empty();
        }
        int from = start + name.length() + 1;
        int end = from;
        while (end < text.length() && text.charAt(end) != ',' && text.charAt(end) != '}') {
            end++;
        }
        return Optional.of(text.substring(from, end).strip());
    }

    /** Returns the bytes of a vector of buffers; -1 if strace did not print all of them. */
    long vectorLength(int at) {
        String text = text(at);
        if (!text.startsWith("[{") || text.endsWith("...]")) {
            return -1;
        }
        long bytes = 0;
        for (Matcher segments = SEGMENT.matcher(text); segments.find(); ) {
            bytes += Long.parseLong(segments.group(1));
        }
        return bytes;
    }
}
