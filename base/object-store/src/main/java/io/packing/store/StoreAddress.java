// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.store.credentials.AwsSettings;
import io.packing.store.credentials.SigningRegion;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import software.amazon.awssdk.regions.PartitionMetadata;
import software.amazon.awssdk.regions.Region;

/**
 * The place of a mount's objects: a location and the server that has it. Options that lead to one place by different
 * spellings have equal addresses.
 *
 * @param location a directory without symbolic links in it, or a prefix of a bucket
 * @param server the URL of the bucket's server, or the partition of AWS's own S3, such as {@code aws}; empty for a
 *     directory, and for a bucket at its cloud's own server
 */
public record StoreAddress(StoreLocation location, String server) {
    /** Returns the address that these options lead to. A directory need not exist. */
    public static StoreAddress of(StoreOptions options) throws IOException {
        if (options.location() instanceof StoreLocation.Directory directory) {
            return new StoreAddress(new StoreLocation.Directory(realPath(directory.path())), "");
        }
        if (options.location() instanceof StoreLocation.Bucket bucket) {
            return new StoreAddress(
                    bucket,
                    options.endpoint()
                            .map(endpoint -> server(endpoint, options.pathStyle() ? "" : bucket.bucket() + "."))
                            .orElseGet(() -> partition(SigningRegion.of(options.region(), AwsSettings.ofProcess())
                                    .name())));
        }
        return new StoreAddress(
                options.location(), options.endpoint().map(StoreAddress::server).orElse(""));
    }

    /** Returns the address of an operator's place; follows its directory's present links. */
    public static StoreAddress of(StoreLocation location, String server) throws IOException {
        return location instanceof StoreLocation.Directory directory
                ? new StoreAddress(new StoreLocation.Directory(realPath(directory.path())), server)
                : new StoreAddress(location, server);
    }

    /** Returns an S3 server's URL in its one spelling. */
    public static String server(URI endpoint) {
        return server(endpoint, "");
    }

    private static String server(URI endpoint, String hostPrefix) {
        String scheme = endpoint.getScheme().toLowerCase(Locale.ROOT);
        String host = (hostPrefix + endpoint.getHost()).toLowerCase(Locale.ROOT).replaceAll("[.]$", "");
        int standard = scheme.equals("https") ? 443 : 80;
        int port = endpoint.getPort() == -1 ? standard : endpoint.getPort();
        String path = Objects.requireNonNullElse(endpoint.normalize().getRawPath(), "")
                .replaceAll("/+", "/")
                .replaceAll("/$", "");
        return scheme + "://" + host + (port == standard ? "" : ":" + port) + path;
    }

    /**
     * Returns the part of AWS that a region belongs to: in another part a bucket's name belongs to another customer.
     */
    public static String partition(String region) {
        return PartitionMetadata.of(Region.of(region)).id();
    }

    /** Returns whether this is the other place, or below it on one server. */
    public boolean isWithin(StoreAddress other) {
        if (!server.equals(other.server)) {
            return false;
        }
        if (location instanceof StoreLocation.Directory own
                && other.location instanceof StoreLocation.Directory theirs) {
            // Compare by names, not by text: /data2 is not below /data.
            return own.path().startsWith(theirs.path());
        }
        if (location instanceof StoreLocation.InBucket own && other.location instanceof StoreLocation.InBucket theirs) {
            return own.at("").equals(theirs.at(""))
                    && (theirs.prefix().isEmpty() || (own.prefix() + "/").startsWith(theirs.prefix() + "/"));
        }
        return false;
    }

    /** Returns {@code LOCATION}, or {@code LOCATION@SERVER}, as an operator writes it to allow it. */
    public String text() {
        return location.text() + (server.isEmpty() || server.equals("aws") ? "" : "@" + server);
    }

    @Override
    public String toString() {
        return text();
    }

    /** Returns the path with its links followed as far as it exists. */
    private static Path realPath(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null || Files.exists(path)) {
            return path.toRealPath();
        }
        if (Files.isSymbolicLink(path)) {
            throw new IOException(
                    "packing.store: %s is a symbolic link to nowhere; fix the link or the path".formatted(path));
        }
        return realPath(parent).resolve(Objects.requireNonNull(path.getFileName()));
    }
}
