// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The place of a mount's objects, and the way to it.
 *
 * @param location such as {@code s3://bucket/prefix} or {@code file:///dir}
 * @param endpoint the server, when it is not the cloud's own
 * @param region the region to sign for; absent: the one that AWS's SDK finds
 * @param pathStyle puts the bucket in the path rather than in the host name
 * @param credentials absent: those of the file
 * @param credentialsFile of this process, in AWS's format; absent: the source that AWS's settings ask for (environment, a
 *     pod's identity, profile, container, or else the machine's role)
 * @param putSingleMax largest object sent with one PUT, bytes; larger ones go in parts
 * @param retryTimeout the longest repetition of a failing request
 * @param connections the most concurrent connections
 * @param encryption of new objects, at the server
 * @param way of requests
 */
public record StoreOptions(
        StoreLocation location,
        Optional<URI> endpoint,
        Optional<String> region,
        boolean pathStyle,
        Optional<StoreCredentials> credentials,
        Optional<Path> credentialsFile,
        long putSingleMax,
        Duration retryTimeout,
        int connections,
        ServerEncryption encryption,
        StoreWay way) {

    private static final Pattern REGION_NAME = Pattern.compile("[A-Za-z0-9-]{1,63}");

    /** The place of the objects. */
    public static final Option<StoreLocation> STORE = new Option<>(
            "packing.store",
            "",
            "The location of blobs and backups: s3://bucket/prefix, gs://bucket/prefix, abfs://container@account/prefix or file:///dir."
                    + " The master tells it to a process that names the mount by its URI.",
            StoreLocation::parse);

    /** The S3 server. */
    public static final Option<Optional<URI>> ENDPOINT = new Option<>(
            "packing.s3.endpoint",
            "",
            "The store's URL; empty means AWS, or the cloud that the location names.",
            StoreOptions::endpointUri);

    /** The region to sign for. */
    public static final Option<Optional<String>> REGION = new Option<>(
            "packing.s3.region",
            "",
            "The region for which requests are signed; empty: that of AWS_REGION, of the profile or of the machine, else us-east-1.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(text));

    /** The place of the bucket, in the path or in the host name. */
    public static final Option<Optional<Boolean>> PATH_STYLE = new Option<>(
            "packing.s3.path.style",
            "",
            "Whether the bucket stands in the path (true) or in the host name (false); by default true when an endpoint"
                    + " is given.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(Parsers.flag(text)));

    /** The access key. */
    public static final Option<String> ACCESS_KEY = new Option<>(
            "packing.s3.access.key",
            "",
            "The access key; empty means the credentials that AWS's settings ask for.",
            Parsers::text);

    /** The secret key. */
    public static final Option<String> SECRET_KEY =
            new Option<>("packing.s3.secret.key", "", "The secret key that belongs to the access key.", Parsers::text);

    /** The file of this process's credentials, if they are not in the options. */
    public static final Option<Optional<Path>> CREDENTIALS_FILE = new Option<>(
            "packing.s3.credentials.file",
            "",
            "File of this process's credentials in AWS's format: the profile default, perhaps with a session "
                    + "token. The process reads it again when it changes. Keys in options beside it are refused.",
            StoreOptions::file);

    /** The largest single PUT. S3 itself takes up to 5 GB, and parts of at least 5 MB. */
    public static final Option<Long> PUT_SINGLE_MAX = new Option<>(
            "packing.s3.put.single.max",
            "5GB",
            "Largest object sent with one PUT; larger ones are sent in parts of up to this size, each billed as a PUT.",
            Parsers.bytesBetween(5L << 20, 5L << 30));

    /** The longest repetition of a failing request. */
    public static final Option<Duration> RETRY_TIMEOUT = new Option<>(
            "packing.s3.retry.timeout",
            "5m",
            "The time for which a request is repeated while the store refuses it or does not answer.",
            StoreOptions::timeout);

    /** The number of concurrent connections. */
    public static final Option<Integer> CONNECTIONS =
            new Option<>("packing.s3.connections", "64", "Most concurrent connections.", Parsers.count(1, 10_000));

    /** All options of the object store, in the order of the reference table. */
    public static final List<Option<?>> OPTIONS = Stream.of(
                    List.<Option<?>>of(
                            STORE,
                            ENDPOINT,
                            REGION,
                            PATH_STYLE,
                            ACCESS_KEY,
                            SECRET_KEY,
                            CREDENTIALS_FILE,
                            PUT_SINGLE_MAX,
                            RETRY_TIMEOUT,
                            CONNECTIONS),
                    ServerEncryption.OPTIONS,
                    StoreWay.OPTIONS)
            .<Option<?>>flatMap(List::stream)
            .toList();

    /** The options that are equal for all clients of a bucket: its encryption, the payer of requests, and the kind of endpoint. */
    public static final List<Option<?>> OF_BUCKET = List.of(
            ServerEncryption.ALGORITHM,
            ServerEncryption.KEY,
            ServerEncryption.BUCKET_KEY,
            StoreWay.REQUESTER_PAYS,
            StoreWay.FIPS,
            StoreWay.DUAL_STACK);

    /** The options that lead to a store; the others say how a process uses it. */
    public static final List<Option<?>> OF_PLACE = Stream.concat(
                    Stream.<Option<?>>of(STORE, ENDPOINT, REGION, PATH_STYLE), OF_BUCKET.stream())
            .toList();

    public StoreOptions {
        if (region.isPresent() && !REGION_NAME.matcher(region.get()).matches()) {
            // It becomes a part of AWS's host names.
            throw new IllegalArgumentException(
                    "option packing.s3.region: '%s' is no region; want letters, digits and -, such as us-east-1"
                            .formatted(region.get()));
        }
        if (credentials.isPresent() && credentialsFile.isPresent()) {
            throw new IllegalArgumentException(
                    "options packing.s3.access.key and packing.s3.credentials.file contradict each other: set one of them");
        }
        if (putSingleMax <= 0 || retryTimeout.isNegative() || connections <= 0) {
            throw new IllegalArgumentException("bad limits: put %d bytes, retry %s, %d connections"
                    .formatted(putSingleMax, retryTimeout, connections));
        }
    }

    /**
     * Parses this group of options; ignores all other keys in the map.
     *
     * @throws IllegalArgumentException naming the malformed or missing option
     */
    public static StoreOptions from(Map<String, String> raw) {
        Map<String, String> own = new HashMap<>();
        OPTIONS.forEach(option -> {
            String value = raw.get(option.key());
            if (value != null) {
                own.put(option.key(), value);
            }
        });
        Options options = Options.check(own, "packing.", OPTIONS);
        Optional<URI> endpoint = options.get(ENDPOINT);
        return new StoreOptions(
                options.get(STORE),
                endpoint,
                options.get(REGION),
                options.get(PATH_STYLE).orElse(endpoint.isPresent()),
                StoreCredentials.of(options.get(ACCESS_KEY), options.get(SECRET_KEY)),
                options.get(CREDENTIALS_FILE),
                options.get(PUT_SINGLE_MAX),
                options.get(RETRY_TIMEOUT),
                options.get(CONNECTIONS),
                ServerEncryption.from(options),
                StoreWay.from(options, endpoint.isPresent()));
    }

    /** Returns these options with the objects elsewhere. */
    public StoreOptions at(StoreLocation other) {
        return new StoreOptions(
                other,
                endpoint,
                region,
                pathStyle,
                credentials,
                credentialsFile,
                putSingleMax,
                retryTimeout,
                connections,
                encryption,
                way);
    }

    /** Returns options with the credentials of this process in place of all others. */
    public static Map<String, String> withCredentials(Map<String, String> raw, Path file) {
        Map<String, String> own = new HashMap<>(raw);
        own.remove(ACCESS_KEY.key());
        own.remove(SECRET_KEY.key());
        own.put(CREDENTIALS_FILE.key(), file.toString());
        return own;
    }

    /** Returns options with the way of this process to stores: its proxy and the authorities that it believes. */
    public static Map<String, String> withWay(
            Map<String, String> raw, Optional<URI> proxy, Optional<Path> authorities) {
        Map<String, String> own = new HashMap<>(raw);
        proxy.ifPresent(uri -> own.put(StoreWay.PROXY.key(), uri.toString()));
        authorities.ifPresent(path -> own.put(StoreWay.AUTHORITIES.key(), path.toString()));
        return own;
    }

    private static Optional<Path> file(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    }

    private static Optional<URI> endpointUri(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = new URI(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean plain = uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
            if (http && uri.getHost() != null && plain) {
                return Optional.of(uri);
            }
        } catch (URISyntaxException e) {
            // Falls through to the one message with a valid example.
        }
        throw new IllegalArgumentException("expected a URL such as http://127.0.0.1:9000, without credentials in it");
    }

    private static Duration timeout(String text) {
        Duration timeout = Parsers.duration(text);
        if (timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("expected at most 1d");
        }
        return timeout;
    }

    /** Returns the options of a client that asks the master for the store: without one they name a place where nothing is. */
    public static Map<String, String> orUnknownStore(Map<String, String> raw) {
        Map<String, String> asked = new HashMap<>(raw);
        asked.putIfAbsent(STORE.key(), "file:///unknown");
        return asked;
    }
}
