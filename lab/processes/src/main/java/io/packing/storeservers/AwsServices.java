// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * AWS's services for credentials on one port of this machine: the token service, the logins, the agent of containers and of EKS, and
 * the metadata of the machine. Beside them is a store that keeps the signing key of each request. Each key that it gives is new, and has the
 * name of its service in it, such as {@code ASIASTS1}. Thread-safe.
 */
public final class AwsServices implements AutoCloseable {
    /** A path of {@link #agent}. */
    public static final String AGENT = "/agent/credentials";

    /** A secret of the agent, in a file of the pod. */
    public static final String AGENT_TOKEN = "token-of-the-agent";

    /** The role of the machine. */
    public static final String MACHINE_ROLE = "machine-role";

    /** The region of the machine. */
    public static final String MACHINE_REGION = "eu-north-1";

    private static final Pattern OWNER = Pattern.compile("Credential=([^/]*)/[0-9]*/([^/]*)/");
    private static final DateTimeFormatter SIGNED_AT =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX").withZone(ZoneOffset.UTC);
    private static final Duration TOO_FAR = Duration.ofMinutes(15);
    private static final String METADATA_TOKEN = "token-of-the-metadata";
    private static final String JSON = "application/json";
    private static final String XML = "text/xml";

    private final HttpServer server;
    private final Clock clock;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger given = new AtomicInteger();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Map<Service, Refusal> refusals = new ConcurrentHashMap<>();
    private final Set<String> ended = ConcurrentHashMap.newKeySet();
    private volatile Duration life = Duration.ofHours(1);
    private volatile Duration ahead = Duration.ZERO;
    private volatile String refusedPuts = "";
    private volatile boolean onlyTheNewest;
    private volatile String newest = "";

    /** The services, by the requests that they get. */
    public enum Service {
        STS,
        LOGIN,
        RENEWAL,
        AGENT,
        MACHINE,
        STORE
    }

    /**
     * A request.
     *
     * @param text the method, the path with its query and, of the token service and of renewals, the decoded body
     * @param headers names are in small letters
     */
    public record Call(Service service, String text, Map<String, String> headers) {
        /** Returns the access key that signed the request; empty if none did. */
        public String key() {
            return signed(1);
        }

        /** Returns the region that the request is signed for. */
        public String region() {
            return signed(2);
        }

        private String signed(int group) {
            Matcher owner = OWNER.matcher(headers.getOrDefault("authorization", ""));
            return owner.find() ? owner.group(group) : "";
        }
    }

    /** An answer to further requests of a service. */
    private record Refusal(AtomicInteger left, int status, String contentType, String body) {}

    private AwsServices(HttpServer server, Clock clock) {
        this.server = server;
        this.clock = clock;
    }

    /**
     * Starts the services on a free port of the loopback interface.
     *
     * @param clock by which credentials end and the store takes signatures
     */
    public static AwsServices start(Clock clock) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AwsServices services = new AwsServices(server, clock);
        server.createContext("/", services::answer);
        server.setExecutor(services.threads);
        server.start();
        return services;
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Returns where the agent of containers and of EKS gives credentials. */
    public URI agent() {
        return endpoint().resolve(AGENT);
    }

    /** Returns Java's properties that lead the SDK to these services. */
    public Map<String, String> properties() {
        String here = endpoint().toString();
        return Map.of(
                "aws.endpointUrlSts", here,
                "aws.endpointUrlSso", here,
                "aws.endpointUrlSsoOidc", here,
                "aws.ec2MetadataServiceEndpoint", here);
    }

    /** Sets the life of the credentials that are given from now on. */
    public void life(Duration next) {
        life = next;
    }

    /** Lets a service answer the next requests in its own way with an error of AWS's. */
    public void refuse(Service service, int times, int status, String code) {
        String body = switch (service) {
            case STS ->
                "<ErrorResponse><Error><Code>%1$s</Code><Message>%1$s by the test</Message></Error></ErrorResponse>";
            case STORE -> "<Error><Code>%1$s</Code><Message>%1$s by the test</Message></Error>";
            default -> "{\"code\": \"%1$s\", \"message\": \"%1$s by the test\"}";
        };
        String type = service == Service.STS || service == Service.STORE ? XML : JSON;
        refusals.put(service, new Refusal(new AtomicInteger(times), status, type, body.formatted(code)));
    }

    /** Lets the store refuse all PUTs from now on. */
    public void refusePuts(String code) {
        refusedPuts = code;
    }

    /** Lets the store refuse a key as ended. */
    public void end(String key) {
        ended.add(key);
    }

    /** Lets the store refuse all keys as ended but the one that was given last. */
    public void takeOnlyTheNewest() {
        onlyTheNewest = true;
    }

    /** Lets the store refuse requests that are signed for more than 15 minutes from a clock so far ahead. Its dates stay right. */
    public void storeClock(Duration difference) {
        ahead = difference;
    }

    /** Returns the requests so far that a service got. */
    public List<Call> calls(Service service) {
        return calls.stream().filter(call -> call.service() == service).toList();
    }

    /** Forgets the requests so far. */
    public void forget() {
        calls.clear();
    }

    private static Service service(String path, String body) {
        if (body.startsWith("Action=")) {
            return Service.STS;
        }
        if (path.startsWith("/federation/")) {
            return Service.LOGIN;
        }
        if (path.equals("/token")) {
            return Service.RENEWAL;
        }
        if (path.startsWith(AGENT)) {
            return Service.AGENT;
        }
        return path.startsWith("/latest/") ? Service.MACHINE : Service.STORE;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] bytes = exchange.getRequestBody().readAllBytes();
            String start = new String(bytes, 0, Math.min(bytes.length, 8_000), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().toString();
            Service service = service(path, start);
            String text = "%s %s%s"
                    .formatted(
                            exchange.getRequestMethod(),
                            path,
                            service == Service.STS || service == Service.RENEWAL
                                    ? " " + URLDecoder.decode(start, StandardCharsets.UTF_8)
                                    : "");
            Call call = new Call(service, text, headers(exchange.getRequestHeaders()));
            calls.add(call);
            Refusal refusal = refusals.get(service);
            if (refusal != null && refusal.left().getAndDecrement() > 0) {
                send(exchange, refusal.status(), refusal.contentType(), refusal.body());
                return;
            }
            switch (service) {
                case STS -> send(exchange, 200, XML, ofTokenService(text));
                case LOGIN -> send(exchange, 200, JSON, ofLogin(clock.instant().plus(life)));
                case RENEWAL -> send(exchange, 200, JSON, ofRenewal());
                case AGENT -> ofAgent(exchange, call);
                case MACHINE -> ofMachine(exchange, path);
                case STORE -> ofStore(exchange, call, bytes.length);
            }
        }
    }

    private static Map<String, String> headers(Headers headers) {
        return headers.entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().toLowerCase(Locale.ROOT), entry -> String.join(",", entry.getValue())));
    }

    private String next(String of) {
        newest = "ASIA" + of + given.incrementAndGet();
        return newest;
    }

    private String expiry() {
        return clock.instant().plus(life).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private String ofTokenService(String text) {
        if (text.contains("Action=GetCallerIdentity")) {
            return """
                    <GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>
                    <Arn>arn:aws:sts::123456789012:assumed-role/packing/test</Arn><UserId>AROA:test</UserId>
                    <Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>
                    """;
        }
        String action = text.contains("Action=AssumeRoleWithWebIdentity") ? "AssumeRoleWithWebIdentity" : "AssumeRole";
        return """
                <%1$sResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><%1$sResult><Credentials>
                <AccessKeyId>%2$s</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
                <SessionToken>session-of-%2$s</SessionToken><Expiration>%3$s</Expiration>
                </Credentials></%1$sResult></%1$sResponse>
                """.formatted(action, next("STS"), expiry());
    }

    private String ofLogin(Instant end) {
        return """
                {"roleCredentials": {"accessKeyId": "%s", "secretAccessKey": "secret", "sessionToken": "session", "expiration": %d}}
                """.formatted(next("LOGIN"), end.toEpochMilli());
    }

    private String ofRenewal() {
        String number = next("RENEWAL").replaceAll("[^0-9]", "");
        return """
                {"accessToken": "renewed-%1$s", "expiresIn": %2$d, "refreshToken": "renewing-%1$s", "tokenType": "Bearer"}
                """.formatted(number, life.toSeconds());
    }

    private void ofAgent(HttpExchange exchange, Call call) throws IOException {
        if (call.headers().getOrDefault("authorization", AGENT_TOKEN).equals(AGENT_TOKEN)) {
            send(exchange, 200, JSON, keys("AGENT"));
        } else {
            send(exchange, 401, JSON, "{\"code\": \"401\", \"message\": \"not the token of this pod\"}");
        }
    }

    private String keys(String of) {
        return """
                {"Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "%s", "SecretAccessKey": "secret", "Token": "session",
                 "LastUpdated": "2020-01-01T00:00:00Z", "Expiration": "%s"}
                """.formatted(next(of), expiry());
    }

    /** Answers as the second version of the metadata service, which wants a token that a PUT gives. */
    private void ofMachine(HttpExchange exchange, String path) throws IOException {
        if (exchange.getRequestMethod().equals("PUT") && path.equals("/latest/api/token")) {
            exchange.getResponseHeaders().add("x-aws-ec2-metadata-token-ttl-seconds", "21600");
            send(exchange, 200, "text/plain", METADATA_TOKEN);
            return;
        }
        if (!METADATA_TOKEN.equals(exchange.getRequestHeaders().getFirst("x-aws-ec2-metadata-token"))) {
            send(exchange, 401, "text/plain", "no token");
        } else if (path.endsWith("/" + MACHINE_ROLE)) {
            send(exchange, 200, JSON, keys("MACHINE"));
        } else if (path.endsWith("/security-credentials/")) {
            send(exchange, 200, "text/plain", MACHINE_ROLE);
        } else if (path.endsWith("/instance-identity/document")) {
            send(exchange, 200, JSON, "{\"region\": \"%s\"}".formatted(MACHINE_REGION));
        } else {
            send(exchange, 404, "text/plain", "");
        }
    }

    /** Answers as a bucket that takes all, and has nothing. */
    private void ofStore(HttpExchange exchange, Call call, int length) throws IOException {
        Instant now = clock.instant().plus(ahead);
        Instant signed = SIGNED_AT.parse(call.headers().getOrDefault("x-amz-date", "20000101T000000Z"), Instant::from);
        if (Duration.between(now, signed).abs().compareTo(TOO_FAR) > 0) {
            send(exchange, 403, XML, "<Error><Code>RequestTimeTooSkewed</Code><Message>too far</Message></Error>");
        } else if (ended.contains(call.key()) || (onlyTheNewest && !call.key().equals(newest))) {
            send(exchange, 400, XML, "<Error><Code>ExpiredToken</Code><Message>ended</Message></Error>");
        } else if (!refusedPuts.isEmpty() && exchange.getRequestMethod().equals("PUT")) {
            send(exchange, 403, XML, "<Error><Code>%s</Code></Error>".formatted(refusedPuts));
        } else if (call.text().endsWith("?delete")) {
            send(exchange, 200, XML, "<DeleteResult></DeleteResult>");
        } else if (call.text().contains("uploads")) {
            send(
                    exchange,
                    200,
                    XML,
                    "<InitiateMultipartUploadResult><UploadId>upload</UploadId></InitiateMultipartUploadResult>");
        } else if (exchange.getRequestMethod().equals("POST") && call.text().contains("uploadId=")) {
            send(
                    exchange,
                    200,
                    XML,
                    "<CompleteMultipartUploadResult><ETag>\"t\"</ETag></CompleteMultipartUploadResult>");
        } else if (exchange.getRequestMethod().equals("GET") && call.text().contains("list-type=2")) {
            send(exchange, 200, XML, "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
        } else if (exchange.getRequestMethod().equals("GET")) {
            send(exchange, 404, XML, "<Error><Code>NoSuchKey</Code></Error>");
        } else {
            exchange.getResponseHeaders().add("ETag", "\"length-%d\"".formatted(length));
            send(exchange, 200, XML, "");
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        boolean none = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, none ? -1 : bytes.length);
        if (!none) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
