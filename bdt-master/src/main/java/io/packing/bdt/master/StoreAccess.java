// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.store.StoreOptions;
import io.packing.store.StoreWay;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The master's own access to stores, whatever a mount brings.
 *
 * @param credentials file of those by which it opens stores
 * @param proxy an HTTP proxy on its way there
 * @param authorities file of those that it believes beside Java's
 */
public record StoreAccess(Optional<Path> credentials, Optional<URI> proxy, Optional<Path> authorities) {
    /** Nothing of its own. */
    public static final StoreAccess NONE = new StoreAccess(Optional.empty(), Optional.empty(), Optional.empty());

    static final Option<Optional<Path>> CREDENTIALS_FILE = new Option<>(
            "bdt.s3.credentials.file",
            "",
            "File of the master's credentials of stores, instead of those that mounts bring: AWS's format, profile default; read"
                    + " again when it changes.",
            StoreAccess::path);

    static final Option<Optional<URI>> PROXY = new Option<>(
            "bdt.s3.proxy",
            "",
            "The master's HTTP proxy to stores, as packing.s3.proxy of other processes.",
            StoreWay.PROXY.parser());

    static final Option<Optional<Path>> AUTHORITIES = new Option<>(
            "bdt.s3.ca.file",
            "",
            "PEM file of authorities that the master believes for stores, beside those of Java.",
            StoreAccess::path);

    static final List<Option<?>> OPTIONS = List.of(CREDENTIALS_FILE, PROXY, AUTHORITIES);

    static StoreAccess from(Options options) {
        return new StoreAccess(options.get(CREDENTIALS_FILE), options.get(PROXY), options.get(AUTHORITIES));
    }

    private static Optional<Path> path(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    }

    /** Returns the options of a mount with this access in the place of what they bring. */
    Map<String, String> in(Map<String, String> options) {
        Map<String, String> reached = StoreOptions.withWay(options, proxy, authorities);
        return credentials.isPresent() ? StoreOptions.withCredentials(reached, credentials.get()) : reached;
    }
}
