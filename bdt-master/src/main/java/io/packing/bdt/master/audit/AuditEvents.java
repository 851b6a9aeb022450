// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.audit;

import io.packing.bdt.rpc.AccessRequest;
import io.packing.bdt.rpc.AttributeChangeMessage;
import io.packing.bdt.rpc.ClaimBatch;
import io.packing.bdt.rpc.ClaimMessage;
import io.packing.bdt.rpc.DeleteRequest;
import io.packing.bdt.rpc.FindRequest;
import io.packing.bdt.rpc.ListRequest;
import io.packing.bdt.rpc.LocateRequest;
import io.packing.bdt.rpc.MkdirRequest;
import io.packing.bdt.rpc.OpenRequest;
import io.packing.bdt.rpc.OperationMessage;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.RegisterRequest;
import io.packing.bdt.rpc.RenameRequest;
import io.packing.bdt.rpc.ScanRequest;
import io.packing.bdt.rpc.SetAttributesRequest;
import io.packing.bdt.rpc.SetOptionsRequest;
import io.packing.bdt.rpc.SetQuotaRequest;
import io.packing.bdt.rpc.VectorRequest;
import io.packing.bdt.rpc.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The operations that messages ask for. Messages that workers send on their own are recorded only if they make names. */
final class AuditEvents {
    /** Calls whose message has no path. */
    private static final Set<String> WITHOUT_PATH = Set.of("Checkpoint", "SealNow");

    private AuditEvents() {}

    /** @param method the bare name of the call */
    static List<AuditEvent> of(String method, Object message) {
        if (message instanceof PathRequest m) {
            return List.of(AuditEvent.of(method.equals("Quota") ? "quotaUsage" : "getfileinfo", m.getPath()));
        } else if (message instanceof LocateRequest m) {
            return List.of(
                    AuditEvent.of("open", m.hasVersion() ? version(m.getVersion(), m.getOpenedAs()) : m.getPath()));
        } else if (message instanceof ListRequest m) {
            return List.of(AuditEvent.of("listStatus", m.getDirectory()));
        } else if (message instanceof FindRequest m) {
            return m.getPathsList().stream()
                    .map(path -> AuditEvent.of("find", path).by(m.getUser().getName()))
                    .toList();
        } else if (message instanceof AccessRequest m) {
            return List.of(AuditEvent.of("checkAccess", m.getPath()).by(m.getUser()));
        } else if (message instanceof ClaimBatch m) {
            return m.getClaimsList().stream().map(AuditEvents::claim).toList();
        } else if (message instanceof VectorRequest m) {
            return m.getOperationsList().stream()
                    .flatMap(o -> operation(o).stream())
                    .toList();
        }
        return change(method, message);
    }

    private static List<AuditEvent> change(String method, Object message) {
        if (message instanceof MkdirRequest m) {
            return List.of(AuditEvent.of("mkdirs", m.getPath()).asking(m.getOwner(), m.getGroup(), m.getMode()));
        } else if (message instanceof DeleteRequest m) {
            return List.of(AuditEvent.of("delete", m.getPath()));
        } else if (message instanceof RenameRequest m) {
            return List.of(AuditEvent.of("rename", m.getFrom(), m.getTo()));
        } else if (message instanceof SetAttributesRequest m) {
            AttributeChangeMessage.Builder change = AttributeChangeMessage.newBuilder();
            if (m.hasOwner()) {
                change.setOwner(m.getOwner());
            }
            if (m.hasGroup()) {
                change.setGroup(m.getGroup());
            }
            if (m.hasMode()) {
                change.setMode(m.getMode());
            }
            if (m.hasMtimeMillis()) {
                change.setMtimeMillis(m.getMtimeMillis());
            }
            return attributes(m.getPath(), change.build());
        } else if (message instanceof SetQuotaRequest m) {
            boolean clears = (m.hasMostNames() && m.getMostNames() < 0) || (m.hasMostBytes() && m.getMostBytes() < 0);
            return List.of(AuditEvent.of(clears ? "clearQuota" : "setQuota", m.getPath()));
        } else if (message instanceof OpenRequest m) {
            // No other option: some are secrets.
            return List.of(AuditEvent.of("openMount", m.getOptionsMap().getOrDefault("packing.store", "")));
        } else if (message instanceof SetOptionsRequest m) {
            return List.of(AuditEvent.of("setMountOptions", m.getMount()));
        } else if (message instanceof ScanRequest m) {
            return List.of(AuditEvent.of("scan", m.getPart().name().toLowerCase(Locale.ROOT)));
        } else if (message instanceof RegisterRequest m) {
            return List.of(AuditEvent.of("register", m.getWorker()));
        }
        return WITHOUT_PATH.contains(method)
                ? List.of(AuditEvent.of(method.substring(0, 1).toLowerCase(Locale.ROOT) + method.substring(1), ""))
                : List.of();
    }

    private static String version(Version version, String path) {
        return path.isEmpty() ? "version %d:%d".formatted(version.getId(), version.getGeneration()) : path;
    }

    private static AuditEvent claim(ClaimMessage m) {
        return AuditEvent.of("create", m.getPath())
                .asking(
                        m.getAttributes().getOwner(),
                        m.getAttributes().getGroup(),
                        m.getAttributes().getMode())
                .by(m.getUser());
    }

    private static List<AuditEvent> attributes(String path, AttributeChangeMessage m) {
        List<AuditEvent> events = new ArrayList<>();
        if (m.hasMode()) {
            events.add(AuditEvent.of("setPermission", path).asking("", "", m.getMode()));
        }
        if (m.hasOwner() || m.hasGroup()) {
            events.add(AuditEvent.of("setOwner", path).asking(m.getOwner(), m.getGroup(), m.getMode()));
        }
        if (m.hasMtimeMillis()) {
            events.add(AuditEvent.of("setTimes", path));
        }
        return events;
    }

    private static List<AuditEvent> operation(OperationMessage m) {
        return switch (m.getKindCase()) {
            case CLONE_RANGE -> range("cloneRange", m.getCloneRange());
            case MOVE_RANGE -> range("moveRange", m.getMoveRange());
            case DELETE_RANGE ->
                List.of(AuditEvent.of("deleteRange", m.getDeleteRange().getPath()));
            case TRUNCATE -> List.of(AuditEvent.of("truncate", m.getTruncate().getPath()));
            case CLONE_FILE ->
                List.of(AuditEvent.of(
                        "clone", m.getCloneFile().getSource(), m.getCloneFile().getDestination()));
            case CLONE_DIRECTORY ->
                List.of(AuditEvent.of(
                        "clone",
                        m.getCloneDirectory().getSource(),
                        m.getCloneDirectory().getDestination()));
            case RENAME ->
                List.of(AuditEvent.of(
                        "rename", m.getRename().getFrom(), m.getRename().getTo()));
            case LINK ->
                List.of(AuditEvent.of("link", m.getLink().getFile(), m.getLink().getName()));
            case MERGE_DIRECTORY ->
                List.of(AuditEvent.of(
                        "merge",
                        m.getMergeDirectory().getFrom(),
                        m.getMergeDirectory().getTo()));
            case MERGE_EACH_DIRECTORY ->
                List.of(AuditEvent.of(
                        "merge",
                        m.getMergeEachDirectory().getFrom(),
                        m.getMergeEachDirectory().getTo()));
            case CREATE_FILE ->
                List.of(AuditEvent.of("create", m.getCreateFile().getPath()));
            case DELETE -> List.of(AuditEvent.of("delete", m.getDelete().getPath()));
            case MAKE_DIRECTORY ->
                List.of(AuditEvent.of("mkdirs", m.getMakeDirectory().getPath())
                        .asking(
                                m.getMakeDirectory().getOwner(),
                                m.getMakeDirectory().getGroup(),
                                m.getMakeDirectory().getMode()));
            case SET_ATTRIBUTES ->
                attributes(m.getSetAttributes().getPath(), m.getSetAttributes().getChange());
            case TAKE_SNAPSHOT -> snapshot("createSnapshot", m.getTakeSnapshot());
            case RENAME_SNAPSHOT ->
                List.of(AuditEvent.of(
                        "renameSnapshot",
                        m.getRenameSnapshot().getDirectory() + "/.snapshot/"
                                + m.getRenameSnapshot().getFrom(),
                        m.getRenameSnapshot().getDirectory() + "/.snapshot/"
                                + m.getRenameSnapshot().getTo()));
            case DROP_SNAPSHOT -> snapshot("deleteSnapshot", m.getDropSnapshot());
            case KIND_NOT_SET -> List.of();
        };
    }

    private static List<AuditEvent> range(String command, OperationMessage.ToRange m) {
        return List.of(AuditEvent.of(command, m.getSource().getPath(), m.getDestination()));
    }

    private static List<AuditEvent> snapshot(String command, OperationMessage.Snapshot m) {
        return List.of(AuditEvent.of(command, m.getDirectory() + "/.snapshot/" + m.getName()));
    }
}
