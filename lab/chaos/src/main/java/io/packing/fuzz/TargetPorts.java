// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import io.packing.fuzz.raw.Http2Noise;
import io.packing.fuzz.raw.HttpNoise;
import io.packing.fuzz.raw.Port;
import io.packing.fuzz.raw.TlsNoise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** The ports of a house, with the bytes to send to each. */
final class TargetPorts {
    private static final int CONNECT_MILLIS = 20_000;
    private static final Pattern STATUS = Pattern.compile("(?m)^HTTP/1\\.[01] ([0-9]{3})");
    private static final int NOT_IMPLEMENTED = 501;
    private static final int VERSION_NOT_SUPPORTED = 505;
    private static final int SERVER_ERROR = 500;
    private static final int UNAVAILABLE = 503;
    private static final List<String> STATUS_PATHS =
            List.of("/", "/metrics", "/healthz", "/readyz", "/livez", "/api/status", "/{name}");
    private static final List<String> REGISTRY_PATHS = List.of(
            "/v2/",
            "/v2/_catalog",
            "/v2/{name}/blobs/{digest}",
            "/v2/{name}/blobs/uploads/",
            "/v2/{name}/blobs/uploads/{name}",
            "/v2/{name}/manifests/{digest}",
            "/v2/{name}/tags/list",
            "/v2/{name}/referrers/{digest}",
            "/v2/{name}",
            "/token",
            "/{name}");

    private TargetPorts() {}

    static List<Port> of(House house) {
        Predicate<String> never = answer -> false;
        Predicate<String> failed = answer -> statuses(answer).stream().anyMatch(TargetPorts::isFailure);
        // A status port may fail because callers lost files that they claimed themselves. {@link Health} checks the
        // reason.
        Predicate<String> broken =
                answer -> statuses(answer).stream().anyMatch(status -> isFailure(status) && status != UNAVAILABLE);
        Predicate<String> answered = answer ->
                statuses(answer).stream().anyMatch(status -> isFailure(status) || (status >= 200 && status < 300));
        Http2Noise calls = new Http2Noise(house.rpcs().stream()
                .map(rpc -> "/" + rpc.method().getFullMethodName())
                .toList());
        List<Port> ports = new ArrayList<>();
        ports.add(new Port("the master", plain(house.masterPort()), calls, never));
        ports.add(new Port(
                "a worker", plain(URI.create("tcp://" + house.peerAddress).getPort()), calls, never));
        ports.add(new Port("the master with TLS", plain(house.securedPort()), new TlsNoise(), never));
        ports.add(new Port("the master behind TLS", tls(house.securedPort()), calls, never));
        for (int port : house.healthPorts) {
            ports.add(new Port("a status port", plain(port), new HttpNoise(STATUS_PATHS), broken));
        }
        HttpNoise pulls = new HttpNoise(REGISTRY_PATHS);
        ports.add(new Port("the open registry", plain(house.registries.open().getPort()), pulls, failed));
        ports.add(
                new Port("the closed registry", plain(house.registries.closed().getPort()), pulls, answered));
        return ports;
    }

    private static List<Integer> statuses(String answer) {
        List<Integer> all = new ArrayList<>();
        Matcher found = STATUS.matcher(answer);
        while (found.find()) {
            all.add(Integer.parseInt(found.group(1)));
        }
        return all;
    }

    private static boolean isFailure(int status) {
        return status >= SERVER_ERROR && status != NOT_IMPLEMENTED && status != VERSION_NOT_SUPPORTED;
    }

    private static Port.Connection plain(int port) {
        return () -> connect(new Socket(), port);
    }

    private static Socket connect(Socket socket, int port) throws IOException {
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Port.Connection tls(int port) {
        SSLContext context = TlsNoise.trustsAnybody();
        return () -> {
            SSLSocket socket = (SSLSocket)
                    context.getSocketFactory().createSocket(connect(new Socket(), port), House.HOST, port, true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            return socket;
        };
    }
}
