package io.packing.registry.http;

import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.UnavailableException;
import io.packing.registry.access.Access;
import io.packing.registry.access.Right;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.Uploads;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each request to its endpoint, and turns failures into the answers of the specification. */
public final class RegistryHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryHandler.class);
    private static final Set<String> READS = Set.of("GET", "HEAD");
    private static final String RETRY_SECONDS = "5";

    private final Access access;
    private final boolean readOnly;
    private final RequestListener listener;
    private final BlobEndpoint blobEndpoint;
    private final UploadEndpoint uploadEndpoint;
    private final ManifestEndpoint manifestEndpoint;
    private final ListEndpoint listEndpoint;

    /**
     * A handler over a registry.
     *
     * @param readOnly whether every change is refused
     * @param pushed is told of each new blob
     */
    public RegistryHandler(
            Blobs blobs,
            Uploads uploads,
            Manifests manifests,
            Access access,
            boolean readOnly,
            Consumer<Digest> pushed,
            RequestListener listener) {
        this.access = access;
        this.readOnly = readOnly;
        this.listener = listener;
        this.blobEndpoint = new BlobEndpoint(blobs);
        this.uploadEndpoint = new UploadEndpoint(blobs, uploads, access, pushed);
        this.manifestEndpoint = new ManifestEndpoint(manifests);
        this.listEndpoint = new ListEndpoint(manifests);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Exchange exchange = new Exchange(request, response);
        String endpoint = "none";
        try {
            try {
                Optional<Route> route = Route.of(Request.getPathInContext(request));
                if (route.isPresent()) {
                    endpoint = route.get().kind().name().toLowerCase(Locale.ROOT);
                    exchange.with("Docker-Distribution-API-Version", "registry/2.0");
                    serve(exchange, route.get());
                } else {
                    refuse(exchange, 404, OciCode.NAME_UNKNOWN.name(), "this path is no endpoint of the API");
                }
            } catch (OciException e) {
                refuse(exchange, e.status(), e.code().name(), String.valueOf(e.getMessage()));
            } catch (IOException | RuntimeException e) {
                fail(exchange, endpoint, e);
            }
            listener.answered(endpoint, exchange.method(), response.getStatus());
            callback.succeeded();
        } catch (IOException | RuntimeException e) {
            listener.answered(endpoint, exchange.method(), 0);
            callback.failed(e);
        }
        return true;
    }

    /** Answers a failure, or throws it on when the answer has begun: the connection is cut then. */
    private void fail(Exchange exchange, String endpoint, Exception failure) throws IOException {
        if (failure instanceof VerifiedCopy.WrongBytesException) {
            listener.wrongBytes();
            LOG.error("{} {}", exchange.method(), endpoint, failure);
        }
        if (exchange.isCommitted()) {
            LOG.debug("{} {} was cut", exchange.method(), endpoint, failure);
            throw failure instanceof IOException io ? io : new IOException(failure);
        }
        if (isUnavailable(failure)) {
            exchange.with("Retry-After", RETRY_SECONDS);
            refuse(exchange, 503, "UNAVAILABLE", "the mount does not answer; try again: " + failure.getMessage());
        } else {
            LOG.warn("{} {} failed", exchange.method(), endpoint, failure);
            refuse(exchange, 500, "UNKNOWN", String.valueOf(failure.getMessage()));
        }
    }

    private static boolean isUnavailable(Throwable failure) {
        return failure instanceof UnavailableException
                || failure instanceof StoreUnavailableException
                || failure instanceof BackingStoreUnavailableException;
    }

    private static void refuse(Exchange exchange, int status, String code, String message) throws IOException {
        exchange.sendJson(status, Map.of("errors", List.of(Map.of("code", code, "message", message))));
    }

    private void serve(Exchange exchange, Route route) throws IOException, OciException {
        String method = exchange.method();
        boolean reads = READS.contains(method);
        if (!isAllowed(exchange, route, reads ? Right.PULL : method.equals("DELETE") ? Right.DELETE : Right.PUSH)) {
            return;
        }
        if (!reads && readOnly) {
            throw new OciException(OciCode.UNSUPPORTED, "this registry is read-only");
        }
        String name = route.repository();
        String reference = route.reference();
        String what = reads ? "GET" : method;
        switch (route.kind() + " " + what) {
            case "BASE GET" -> exchange.sendJson(200, Map.of());
            case "BLOB GET" -> blobEndpoint.get(exchange, name, reference);
            case "BLOB DELETE" -> blobEndpoint.delete(exchange, name, reference);
            case "BEGIN_UPLOAD POST" -> uploadEndpoint.begin(exchange, name);
            case "UPLOAD GET" -> uploadEndpoint.status(exchange, name, reference);
            case "UPLOAD PATCH" -> uploadEndpoint.patch(exchange, name, reference);
            case "UPLOAD PUT" -> uploadEndpoint.put(exchange, name, reference);
            case "UPLOAD DELETE" -> uploadEndpoint.cancel(exchange, name, reference);
            case "MANIFEST GET" -> manifestEndpoint.get(exchange, name, reference);
            case "MANIFEST PUT" -> manifestEndpoint.put(exchange, name, reference);
            case "MANIFEST DELETE" -> manifestEndpoint.delete(exchange, name, reference);
            case "TAGS GET" -> listEndpoint.tags(exchange, name);
            case "REFERRERS GET" -> listEndpoint.referrers(exchange, name, reference);
            default -> throw new OciException(OciCode.UNSUPPORTED, "%.20s is not done here".formatted(method));
        }
    }

    private boolean isAllowed(Exchange exchange, Route route, Right right) throws IOException, OciException {
        Optional<String> authorization = exchange.header("Authorization");
        // Whoever pushes may end and give up what he began.
        Right needed =
                route.kind() == Route.Kind.UPLOAD || route.kind() == Route.Kind.BEGIN_UPLOAD ? Right.PUSH : right;
        Access.Decision decision = route.kind() == Route.Kind.BASE
                ? access.greet(authorization)
                : access.check(authorization, route.repository(), needed);
        if (decision == Access.Decision.DENIED) {
            throw new OciException(
                    OciCode.DENIED, "you may not %s in repository %s".formatted(needed.text(), route.repository()));
        }
        if (decision == Access.Decision.UNKNOWN_USER) {
            exchange.with("WWW-Authenticate", "Basic realm=\"packing registry\", charset=\"UTF-8\"");
            refuse(exchange, 401, OciCode.UNAUTHORIZED.name(), "name and password are needed");
            return false;
        }
        return true;
    }
}
