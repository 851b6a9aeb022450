// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.identity;

import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The role that each method of a service needs. A method without an entry has no default: the server refuses to start.
 */
public final class MethodRoles {
    private final Map<String, Role> roles;

    private MethodRoles(Map<String, Role> roles) {
        this.roles = Map.copyOf(roles);
    }

    /**
     * Returns the rights of a service.
     *
     * @param roles by the bare names of its methods
     * @throws IllegalArgumentException when a method has no entry, or an entry no method
     */
    public static MethodRoles of(ServiceDescriptor service, Map<String, Role> roles) {
        Map<String, Role> left = new HashMap<>(roles);
        Map<String, Role> byMethod = new HashMap<>();
        for (MethodDescriptor<?, ?> method : service.getMethods()) {
            Role role = left.remove(String.valueOf(method.getBareMethodName()));
            if (role == null) {
                throw new IllegalArgumentException(
                        "%s has no entry: add the role that may call it".formatted(method.getFullMethodName()));
            }
            byMethod.put(method.getFullMethodName(), role);
        }
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("%s has no methods %s".formatted(service.getName(), left.keySet()));
        }
        return new MethodRoles(byMethod);
    }

    /** Returns these rights together with others. */
    public MethodRoles and(MethodRoles other) {
        Map<String, Role> all = new HashMap<>(roles);
        all.putAll(other.roles);
        return new MethodRoles(all);
    }

    /** Returns the roles by the full name of each method, in the order of names. */
    public Map<String, Role> all() {
        return Collections.unmodifiableMap(new TreeMap<>(roles));
    }

    /**
     * Returns the role that a method needs.
     *
     * @throws IllegalArgumentException when the method has no entry
     */
    public Role of(MethodDescriptor<?, ?> method) {
        Role role = roles.get(method.getFullMethodName());
        if (role == null) {
            throw new IllegalArgumentException(
                    "%s has no entry: add the role that may call it".formatted(method.getFullMethodName()));
        }
        return role;
    }
}
