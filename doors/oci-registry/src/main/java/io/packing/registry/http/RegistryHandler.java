// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.UnavailableException;
import io.packing.registry.access.Access;
import io.packing.registry.access.Right;
import io.packing.registry.access.TokenAccess;
import io.packing.registry.cache.Prefetch;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.dedup.LeanLayers;
import io.packing.registry.nodes.NodeService;
import io.packing.registry.oci.OciCode;
import io.packing.registry.oci.OciException;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Catalog;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.Uploads;
import io.packing.registry.web.HttpFront;
import io.packing.registry.web.PacedInput;
import io.packing.store.StoreUnavailableException;
import io.packing.worker.api.BufferFullException;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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
    /** The most requests of clients that a node serves at once. */
    private static final int MOST_CLIENTS = HttpFront.MOST_THREADS * 3 / 4;

    private final Access access;
    private final boolean readOnly;
    private final HttpRequestListener listener;
    private final LongSupplier nanoTime;
    private final BlobEndpoint blobEndpoint;
    private final LeanEndpoint leanEndpoint;
    private final UploadEndpoint uploadEndpoint;
    private final ManifestEndpoint manifestEndpoint;
    private final ListEndpoint listEndpoint;
    private final Optional<TokenEndpoint> tokenEndpoint;
    private final Optional<NodeEndpoint> nodeEndpoint;
    /** Requests of clients wait for other nodes; those of other nodes must find a thread meanwhile. */
    private final Semaphore clients;

    /**
     * Makes a handler over a registry.
     *
     * @param catalog all repositories
     * @param lean layers for clients that list their files
     * @param readOnly whether every change is refused
     * @param pushed learns of pushes
     * @param translated the form of layers for pulls by tag; empty: as pushed
     * @param prefetch learns of pulls; empty: there is no cache
     * @param node the service of this node for other nodes; empty: it is none
     * @param nanoTime the time of the process's clock
     */
    public RegistryHandler(
            Blobs blobs,
            Uploads uploads,
            Manifests manifests,
            Catalog catalog,
            LeanLayers lean,
            Access access,
            boolean readOnly,
            PushListener pushed,
            Optional<LayerForm> translated,
            Optional<Prefetch> prefetch,
            Optional<NodeService> node,
            HttpRequestListener listener,
            LongSupplier nanoTime) {
        this.access = access;
        this.readOnly = readOnly;
        this.listener = listener;
        this.nanoTime = nanoTime;
        Optional<UserPulls> pulls = prefetch.map(each -> new UserPulls(each, access));
        this.blobEndpoint = new BlobEndpoint(blobs, pulls, node.map(NodeService::pulls));
        this.leanEndpoint = new LeanEndpoint(blobs, lean, access, listener);
        this.uploadEndpoint = new UploadEndpoint(blobs, uploads, access, pushed);
        this.manifestEndpoint = new ManifestEndpoint(manifests, pushed, translated, pulls);
        this.listEndpoint = new ListEndpoint(manifests, catalog);
        this.nodeEndpoint = node.map(NodeEndpoint::new);
        this.clients = new Semaphore(node.isPresent() ? MOST_CLIENTS : Integer.MAX_VALUE);
        this.tokenEndpoint = access.tokens().map(TokenEndpoint::new);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        boolean isNode = nodeEndpoint.isPresent() && NodeEndpoint.isFor(Request.getPathInContext(request));
        boolean isClient = !isNode && clients.tryAcquire();
        try {
            return handle(request, response, callback, isNode, isClient);
        } finally {
            if (isClient) {
                clients.release();
            }
        }
    }

    private boolean handle(Request request, Response response, Callback callback, boolean isNode, boolean isClient) {
        HttpRequestListener.Running running = listener.began();
        Exchange exchange = new Exchange(request, response, nanoTime);
        String endpoint = "none";
        try {
            try {
                String path = Request.getPathInContext(request);
                Optional<Route> route = isNode ? Optional.empty() : Route.of(path);
                if (isNode) {
                    endpoint = "node";
                    nodeEndpoint.orElseThrow().serve(exchange, path);
                } else if (!isClient) {
                    exchange.with("Retry-After", RETRY_SECONDS);
                    exchange.refuse(503, "UNAVAILABLE", "this node serves as many clients as it can; try again");
                } else if (route.isPresent() && (route.get().kind() != Route.Kind.TOKEN || tokenEndpoint.isPresent())) {
                    endpoint = route.get().kind().name().toLowerCase(Locale.ROOT);
                    exchange.with("Docker-Distribution-API-Version", "registry/2.0");
                    serve(exchange, route.get());
                } else {
                    exchange.refuse(404, OciCode.NAME_UNKNOWN.name(), "this path is no endpoint of the API");
                }
            } catch (OciException e) {
                exchange.refuse(e);
            } catch (IOException | RuntimeException e) {
                fail(exchange, endpoint, e);
            }
            running.answered(exchange.answer(endpoint, response.getStatus()));
            exchange.end(callback);
        } catch (IOException | RuntimeException e) {
            running.answered(exchange.answer(endpoint, 0));
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
            exchange.refuse(503, "UNAVAILABLE", "the mount cannot do that now; try again: " + failure.getMessage());
        } else if (failure instanceof PacedInput.BrokenBodyException) {
            LOG.debug("{} {} was not sent to its end", exchange.method(), endpoint, failure);
            exchange.refuse(
                    OciCode.SIZE_INVALID.status(), OciCode.SIZE_INVALID.name(), String.valueOf(failure.getMessage()));
        } else {
            LOG.warn("{} {} failed", exchange.method(), endpoint, failure);
            exchange.refuse(500, "UNKNOWN", String.valueOf(failure.getMessage()));
        }
    }

    private static boolean isUnavailable(Throwable failure) {
        return failure instanceof UnavailableException
                || failure instanceof StoreUnavailableException
                || failure instanceof BackingStoreUnavailableException
                || failure instanceof BufferFullException;
    }

    private void serve(Exchange exchange, Route route) throws IOException, OciException {
        String method = exchange.method();
        // The body of this POST lists the client's files: it changes nothing.
        boolean reads = READS.contains(method) || (route.kind() == Route.Kind.LEAN && method.equals("POST"));
        if (route.kind() == Route.Kind.TOKEN && reads) {
            tokenEndpoint.orElseThrow().get(exchange);
            return;
        }
        if (route.kind() == Route.Kind.CATALOG && reads) {
            list(exchange);
            return;
        }
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
            case "LEAN GET" -> leanEndpoint.get(exchange, name, reference);
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

    private void list(Exchange exchange) throws IOException, OciException {
        Optional<Predicate<String>> visible = access.visible(exchange.header("Authorization"));
        if (visible.isPresent()) {
            exchange.allow();
            listEndpoint.repositories(exchange, visible.get());
        } else {
            exchange.with("WWW-Authenticate", access.challenge(exchange.origin(), TokenAccess.CATALOG_SCOPE));
            exchange.refuse(401, OciCode.UNAUTHORIZED.name(), "name and password are needed");
        }
    }

    /** Returns the scope that a token must have; a push reads, too. */
    private static String scope(Route route, Right needed) {
        if (route.repository().isEmpty()) {
            return "";
        }
        String actions = needed == Right.PUSH ? "pull,push" : needed.text();
        return "repository:%s:%s".formatted(route.repository(), actions);
    }

    private boolean isAllowed(Exchange exchange, Route route, Right right) throws IOException, OciException {
        Optional<String> authorization = exchange.header("Authorization");
        // A client that pushes may end and give up its upload.
        Right needed =
                route.kind() == Route.Kind.UPLOAD || route.kind() == Route.Kind.BEGIN_UPLOAD ? Right.PUSH : right;
        Access.Decision decision = route.repository().isEmpty()
                ? access.greet(authorization)
                : access.check(authorization, route.repository(), needed);
        if (decision == Access.Decision.DENIED) {
            throw new OciException(
                    OciCode.DENIED, "you may not %s in repository %s".formatted(needed.text(), route.repository()));
        }
        if (decision == Access.Decision.UNKNOWN_USER) {
            exchange.with("WWW-Authenticate", access.challenge(exchange.origin(), scope(route, needed)));
            exchange.refuse(401, OciCode.UNAUTHORIZED.name(), "name and password are needed");
            return false;
        }
        exchange.allow();
        return true;
    }
}
