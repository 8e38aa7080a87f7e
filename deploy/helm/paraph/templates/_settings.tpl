{{/* What every process is told, as a YAML map. The chart's own lines come last: ports and folders must fit the pods. */}}
{{- define "paraph.settings" -}}
{{- $_ := required "settings.PUBLIC_URL must be given: the https address of this installation" .Values.settings.PUBLIC_URL }}
{{- range $name, $value := merge (dict "HOST" "0.0.0.0" "PORT" "8080" "MANAGEMENT_HOST" "0.0.0.0" "MANAGEMENT_PORT" "8081" "SPOOL_FOLDER" "/var/tmp/paraph") .Values.settings }}
{{ $name }}: {{ include "paraph.plain" $value | quote }}
{{- end }}
{{- end }}

{{/* Whole numbers as they are: Helm reads them as floating ones and would write 1e+06. */}}
{{- define "paraph.plain" -}}
{{- if kindIs "float64" . }}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* Called with the name of a group of secrets: settings that are files. */}}
{{- define "paraph.files" -}}
{{- $group := index .root.Values.secrets .group }}
{{- if $group.existingSecret }}
{{- range $setting, $key := $group.files }}
{{- if $key }}
- name: {{ $setting }}_FILE
  value: /run/secrets/{{ $.group }}/{{ $key }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- define "paraph.fileMounts" -}}
{{- if (index .root.Values.secrets .group).existingSecret }}
- name: {{ .group }}-secrets
  mountPath: /run/secrets/{{ .group }}
  readOnly: true
{{- end }}
{{- end }}

{{- define "paraph.fileVolumes" -}}
{{- with (index .root.Values.secrets .group).existingSecret }}
- name: {{ $.group }}-secrets
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- end }}
