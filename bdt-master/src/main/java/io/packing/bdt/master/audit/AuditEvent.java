// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.audit;

import java.util.Optional;

/**
 * An operation that a caller requested.
 *
 * @param command as HDFS calls it, where HDFS has it
 * @param source what it is about, mostly a path; may be empty
 * @param destination the second path; may be empty
 * @param attributes owner, group and mode that were asked for; may be empty
 * @param user for whom it is asked, if not for the caller
 */
record AuditEvent(String command, String source, String destination, String attributes, Optional<String> user) {
    static AuditEvent of(String command, String source) {
        return of(command, source, "");
    }

    static AuditEvent of(String command, String source, String destination) {
        return new AuditEvent(command, source, destination, "", Optional.empty());
    }

    /** Returns a copy with the requested attributes. */
    AuditEvent asking(String owner, String group, int mode) {
        return new AuditEvent(command, source, destination, "%s:%s:%04o".formatted(owner, group, mode & 07777), user);
    }

    /** Returns a copy for a user; empty: for the caller. */
    AuditEvent by(String who) {
        return new AuditEvent(
                command, source, destination, attributes, who.isEmpty() ? Optional.empty() : Optional.of(who));
    }

    /** The line of the log. */
    String line(boolean allowed, AuditCaller caller) {
        String shown = caller.shown();
        return "allowed=%b\tugi=%s\tip=%s\tcmd=%s\tsrc=%s\tdst=%s\tperm=%s\tproto=rpc"
                .formatted(
                        allowed,
                        user.filter(who -> !who.equals(caller.user()))
                                .map(who -> "%s (auth:PROXY) via %s".formatted(escaped(who), shown))
                                .orElse(shown),
                        caller.address(),
                        command,
                        orNull(source),
                        orNull(destination),
                        orNull(attributes));
    }

    private static String orNull(String text) {
        return text.isEmpty() ? "null" : escaped(text);
    }

    /** A name that can neither end its line nor its field, nor show the ones behind it in another order. */
    static String escaped(String text) {
        if (text.chars().noneMatch(AuditEvent::isUnsafe)) {
            return text;
        }
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.chars().forEach(c -> {
            if (isUnsafe(c)) {
                safe.append("\\u%04x".formatted(c));
            } else {
                safe.append((char) c);
            }
        });
        return safe.toString();
    }

    private static boolean isUnsafe(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || c == '\\';
    }
}
