// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import io.packing.s3gateway.protocol.S3Exception;
import io.packing.s3gateway.protocol.UriText;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The parts of a request that a signature covers.
 *
 * @param path decoded
 * @param query decoded, in the order of the request
 * @param headers values by names in lower case; those of one name are joined by commas
 */
public record SignedRequest(
        String method, String path, List<UriText.Parameter> query, SortedMap<String, String> headers) {
    /** Makes a request from the form in which a client sent it. */
    public static SignedRequest of(
            String method, String rawPath, String rawQuery, List<Map.Entry<String, String>> headers)
            throws S3Exception {
        SortedMap<String, String> joined = new TreeMap<>();
        headers.forEach(each -> joined.merge(
                each.getKey().toLowerCase(Locale.ROOT),
                spaced(each.getValue().strip()),
                (one, other) -> one + "," + other));
        return new SignedRequest(method, UriText.decodePath(rawPath), UriText.parameters(rawQuery), joined);
    }

    /** Returns a value with single spaces; few have others. */
    private static String spaced(String value) {
        return value.contains("  ") ? value.replaceAll(" +", " ") : value;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Returns the first value of a parameter. */
    public Optional<String> parameter(String name) {
        return query.stream()
                .filter(each -> each.name().equals(name))
                .map(UriText.Parameter::value)
                .findFirst();
    }

    /**
     * Returns the canonical form that is signed.
     *
     * @param signed names of headers, in their order
     * @param payload the hash of the body, or the word in its place
     */
    String canonical(List<String> signed, String payload) {
        String parameters = query.stream()
                .filter(each -> !each.name().equals("X-Amz-Signature"))
                .map(each ->
                        new UriText.Parameter(UriText.encode(each.name(), false), UriText.encode(each.value(), false)))
                .sorted((one, other) -> one.name().equals(other.name())
                        ? one.value().compareTo(other.value())
                        : one.name().compareTo(other.name()))
                .map(each -> each.name() + "=" + each.value())
                .collect(Collectors.joining("&"));
        StringBuilder text = new StringBuilder(512)
                .append(method)
                .append('\n')
                .append(path.isEmpty() ? "/" : UriText.encode(path, true))
                .append('\n')
                .append(parameters)
                .append('\n');
        for (String name : signed) {
            text.append(name).append(':').append(headers.getOrDefault(name, "")).append('\n');
        }
        return text.append('\n')
                .append(String.join(";", signed))
                .append('\n')
                .append(payload)
                .toString();
    }
}
