// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The way of requests to an S3 server.
 *
 * @param requesterPays whether this process's account pays for them
 * @param fips whether they go to the endpoints with FIPS 140 cryptography
 * @param dualStack whether they go to the endpoints that have IPv6, too
 * @param proxy an HTTP proxy; absent: that of the environment
 * @param authorities file of authorities that are believed beside Java's
 */
public record StoreWay(
        boolean requesterPays, boolean fips, boolean dualStack, Optional<URI> proxy, Optional<Path> authorities) {
    /** The way without any of this. */
    public static final StoreWay USUAL = new StoreWay(false, false, false, Optional.empty(), Optional.empty());

    static final Option<Boolean> REQUESTER_PAYS = new Option<>(
            "packing.s3.requester.pays",
            "false",
            "Whether the account of the credentials pays for requests, instead of the bucket's owner.",
            Parsers::flag);

    static final Option<Boolean> FIPS = new Option<>(
            "packing.s3.fips", "false", "Whether AWS's endpoints with FIPS 140 cryptography are used.", Parsers::flag);

    static final Option<Boolean> DUAL_STACK = new Option<>(
            "packing.s3.dualstack", "false", "Whether AWS's endpoints with IPv6 beside IPv4 are used.", Parsers::flag);

    /** The proxy of this process. */
    public static final Option<Optional<URI>> PROXY = new Option<>(
            "packing.s3.proxy",
            "",
            "This process's HTTP proxy to the store, such as http://proxy:3128; empty: that of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
            StoreWay::proxyUri);

    static final Option<Optional<Path>> AUTHORITIES = new Option<>(
            "packing.s3.ca.file",
            "",
            "PEM file of authorities that this process believes for the store, beside those of Java.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text)));

    static final List<Option<?>> OPTIONS = List.of(REQUESTER_PAYS, FIPS, DUAL_STACK, PROXY, AUTHORITIES);

    /** @param endpoint whether the store is not AWS's */
    static StoreWay from(Options options, boolean endpoint) {
        StoreWay way = new StoreWay(
                options.get(REQUESTER_PAYS),
                options.get(FIPS),
                options.get(DUAL_STACK),
                options.get(PROXY),
                options.get(AUTHORITIES));
        if (endpoint && (way.fips || way.dualStack)) {
            throw new IllegalArgumentException(
                    "option packing.s3.%s chooses an endpoint of AWS: leave packing.s3.endpoint out, or name the endpoint itself there"
                            .formatted(way.fips ? "fips" : "dualstack"));
        }
        return way;
    }

    private static Optional<URI> proxyUri(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(text);
            boolean plain = uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
            if ("http".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() > 0 && plain) {
                return Optional.of(uri);
            }
        } catch (URISyntaxException e) {
            // Falls through to the one message with a valid example.
        }
        throw new IllegalArgumentException(
                "expected a URL such as http://proxy:3128, without credentials in it: those belong into HTTPS_PROXY");
    }
}
