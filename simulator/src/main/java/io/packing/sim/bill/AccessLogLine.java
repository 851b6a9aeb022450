// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of an access log in the format that Amazon S3 publishes ("Amazon S3 server access log format"). Fields have spaces between them,
 * the time is in brackets, three fields are in quotes, and {@code -} is a field without a value. Fields of later versions follow the
 * ones that are known here, and are ignored.
 *
 * @param bucket of the request
 * @param time when the store received it
 * @param anonymous true if the request came without an identity
 * @param operation such as {@code REST.PUT.OBJECT}
 * @param key of the object, or the prefix that is listed, decoded; empty: the request names none
 * @param status of HTTP; 0: the connection ended before
 * @param error code of the store; empty: none
 * @param bytesSent of the answer's body
 * @param objectSize of the object, or of the part
 */
public record AccessLogLine(
        String bucket,
        Instant time,
        boolean anonymous,
        String operation,
        Optional<String> key,
        int status,
        String error,
        long bytesSent,
        long objectSize) {
    /** The fields up to the version of the object, which all logs have. */
    private static final int LEAST_FIELDS = 18;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH);
    private static final Pattern OPERATION = Pattern.compile("[A-Z0-9]+(\\.[A-Z0-9_]+)+");
    private static final Pattern PREFIX = Pattern.compile("[?&]prefix=([^& ]+)");
    private static final String NONE = "-";
    private static final int FIRST_BILLED = 200;
    private static final int FIRST_UNANSWERED = 500;
    private static final int SLOW_DOWN = 503;
    private static final int FORBIDDEN = 403;

    /**
     * Reads a line.
     *
     * @throws MalformedLogLineException saying what is wrong with it
     */
    public static AccessLogLine parse(String line) throws MalformedLogLineException {
        List<String> fields = fields(line);
        if (fields.size() < LEAST_FIELDS) {
            throw new MalformedLogLineException(
                    "it has %d fields, and a whole line has %d or more".formatted(fields.size(), LEAST_FIELDS));
        }
        String operation = fields.get(6);
        if (!OPERATION.matcher(operation).matches()) {
            throw new MalformedLogLineException("field 7 is no operation");
        }
        return new AccessLogLine(
                fields.get(1),
                time(fields.get(2)),
                fields.get(4).equals(NONE),
                operation,
                fields.get(7).equals(NONE) ? listed(fields.get(8)) : Optional.of(decoded(fields.get(7))),
                status(fields.get(9)),
                fields.get(10).equals(NONE) ? "" : fields.get(10),
                number(fields.get(11), 12),
                number(fields.get(12), 13));
    }

    private static List<String> fields(String line) throws MalformedLogLineException {
        List<String> fields = new ArrayList<>(26);
        int at = 0;
        while (at < line.length()) {
            char first = line.charAt(at);
            int end;
            if (first == '"') {
                end = quoteEnd(line, at + 1);
                fields.add(line.substring(at + 1, end));
                end++;
            } else if (first == '[') {
                end = line.indexOf(']', at);
                if (end < 0) {
                    throw new MalformedLogLineException("the time has no end");
                }
                fields.add(line.substring(at + 1, end));
                end++;
            } else {
                int space = line.indexOf(' ', at);
                end = space < 0 ? line.length() : space;
                if (end == at) {
                    throw new MalformedLogLineException("field %d is empty".formatted(fields.size() + 1));
                }
                fields.add(line.substring(at, end));
            }
            if (end < line.length() && line.charAt(end) != ' ') {
                throw new MalformedLogLineException("no space behind field %d".formatted(fields.size()));
            }
            at = end + 1;
        }
        return fields;
    }

    /** Returns the prefix in the query of a listing, such as {@code GET /bucket?list-type=2&prefix=a%2F HTTP/1.1}. */
    private static Optional<String> listed(String request) {
        Matcher prefix = PREFIX.matcher(request);
        return prefix.find() ? Optional.of(decoded(String.valueOf(prefix.group(1)))) : Optional.empty();
    }

    /** Returns the quote that ends a field: the field of a program's name may have quotes of its own. */
    private static int quoteEnd(String line, int from) throws MalformedLogLineException {
        for (int at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 1)) {
            if (at + 1 == line.length() || line.charAt(at + 1) == ' ') {
                return at;
            }
        }
        throw new MalformedLogLineException("a quote has no end");
    }

    private static Instant time(String text) throws MalformedLogLineException {
        try {
            return TIME.parse(text, Instant::from);
        } catch (DateTimeException e) {
            throw new MalformedLogLineException("field 3 is no time such as [06/Feb/2019:00:00:38 +0000]");
        }
    }

    private static int status(String text) throws MalformedLogLineException {
        long status = number(text, 10);
        if (status != 0 && (status < 100 || status > 599)) {
            throw new MalformedLogLineException("field 10 is no status of HTTP");
        }
        return (int) status;
    }

    private static long number(String text, int field) throws MalformedLogLineException {
        if (text.equals(NONE)) {
            return 0;
        }
        if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new MalformedLogLineException("field %d is no number".formatted(field));
        }
        return Long.parseLong(text);
    }

    private static String decoded(String key) {
        try {
            // A plus sign stands for itself in a key, and for a space in forms.
            return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return key;
        }
    }

    /**
     * Returns what the store bills for this line: nothing for its own failures (5xx), for requests that ended without an answer, and for
     * refused ones without an identity. Empty: the operation is unknown.
     */
    public Optional<BilledRequests> billed() {
        return LoggedKind.of(operation).map(this::billedAs);
    }

    private BilledRequests billedAs(LoggedKind kind) {
        if (kind == LoggedKind.NO_REQUEST) {
            return BilledRequests.NONE;
        }
        if (status == SLOW_DOWN) {
            return new BilledRequests(0, 0, 0, 0, 0, 1, 0);
        }
        if (status < FIRST_BILLED || status >= FIRST_UNANSWERED || (status == FORBIDDEN && anonymous)) {
            return new BilledRequests(0, 0, 0, 0, 0, 0, 1);
        }
        return new BilledRequests(
                kind == LoggedKind.PUT ? 1 : 0,
                kind == LoggedKind.LIST ? 1 : 0,
                kind == LoggedKind.GET ? 1 : 0,
                kind == LoggedKind.HEAD ? 1 : 0,
                kind == LoggedKind.DELETE ? 1 : 0,
                0,
                0);
    }

    /** Returns the bytes of an object or a part that this request stored. */
    public long stored() {
        boolean stores = operation.equals("REST.PUT.OBJECT")
                || operation.equals("REST.PUT.PART")
                || operation.equals("REST.POST.OBJECT");
        return stores && status >= FIRST_BILLED && status < 300 ? objectSize : 0;
    }
}
